import { useSuspenseQuery } from "@tanstack/react-query";
import { call } from "../../api/client.ts";
import { textOf, useForm } from "../../lib/use-form.ts";
import { Card } from "../../ui/card/card.tsx";
import { Field } from "../../ui/field/field.tsx";
import { Form, Submit } from "../../ui/form/form.tsx";
import { saved, useChange } from "../../ui/form/use-change.ts";
import { meQuery } from "../site/index.ts";
import styles from "./account.module.css";
import { AccountFrame } from "./account-frame.tsx";
import { AddressCard } from "./address-card.tsx";
import { CloseCard } from "./close-card.tsx";
import { LookCard } from "./look-card.tsx";
import { t } from "./profile-texts.ts";

/** Name, address and appearance of the user. */
export const ProfileScreen = () => (
	<AccountFrame title={t.title}>
		<NameCard />
		<AddressCard />
		<LookCard />
		<CloseCard />
	</AccountFrame>
);

function NameCard() {
	const { data: me } = useSuspenseQuery(meQuery);
	const rename = useChange({
		run: ({ name }: { name: string; before: string }) => call("PATCH /users/me", { body: { name } }),
		stale: ["GET /auth/me"],
		done: saved,
		undo: (_, { before }) => call("PATCH /users/me", { body: { name: before } }),
	});
	const form = useForm((values) => rename.mutateAsync({ name: textOf(values, "name"), before: me.name }), {
		draft: "name",
	});
	return (
		<Card title={t.who}>
			<Form form={form} className={styles.form}>
				<Field
					key={me.name}
					label={t.name}
					hint={t.nameHint}
					name="name"
					defaultValue={me.name}
					autoComplete="name"
					maxLength={255}
					required
				/>
				<div className={styles.actions}>
					<Submit />
				</div>
			</Form>
		</Card>
	);
}
