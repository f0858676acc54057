import { Type } from "typebox";
import { Password } from "../../people/users/index.ts";

const token = () => Type.String({ minLength: 20, maxLength: 200 });

export const AcceptBody = Type.Object({
	token: token(),
	name: Type.String({ minLength: 1, maxLength: 255 }),
	password: Password(),
});
export const AcceptExistingBody = Type.Object({ token: token() });
