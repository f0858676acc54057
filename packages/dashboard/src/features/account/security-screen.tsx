import { AccountFrame } from "./account-frame.tsx";
import { PasswordCard } from "./password-card.tsx";
import { SecondFactorCard } from "./second-factor-card.tsx";
import { t } from "./security-texts.ts";
import { SessionsCard } from "./sessions-card.tsx";

/** Security settings of the account. */
export const SecurityScreen = () => (
	<AccountFrame title={t.title}>
		<PasswordCard />
		<SecondFactorCard />
		<SessionsCard />
	</AccountFrame>
);
