import { useState } from "react";
import { useForm } from "../../lib/use-form.ts";
import { Form, Submit } from "../../ui/form/form.tsx";
import { FormPage } from "../../ui/page/form-page.tsx";
import styles from "../../ui/page/page.module.css";
import { CodeStep } from "./code-step.tsx";
import { type Entered, enter } from "./enter.ts";
import { PasswordStep } from "./password-step.tsx";
import { t } from "./texts.ts";

type Step =
	| { readonly name: "password" }
	| { readonly name: "code"; readonly challenge: string }
	| { readonly name: "filtered"; readonly entered: Entered };

/** Mail and password, then the second step where the account has one. */
export function SignInScreen() {
	const [step, setStep] = useState<Step>({ name: "password" });
	const onEntered = async (entered: Entered) => {
		if (entered.ip_filtered_accounts.length > 0) setStep({ name: "filtered", entered });
		else await enter();
	};
	if (step.name === "filtered") return <FilteredStep entered={step.entered} />;
	if (step.name === "code") {
		return <CodeStep challenge={step.challenge} onEntered={onEntered} onGone={() => setStep({ name: "password" })} />;
	}
	return <PasswordStep onEntered={onEntered} onChallenge={(challenge) => setStep({ name: "code", challenge })} />;
}

/** Lists after sign-in the sites that cannot be opened from this address. */
function FilteredStep({ entered }: { readonly entered: Entered }) {
	const { ip_filtered_accounts: sites, client_ip: address } = entered;
	const form = useForm(enter);
	return (
		<FormPage title={t.filtered}>
			<Form form={form} className={styles.form}>
				<p>{t.filteredText(address, sites.length)}</p>
				<ul className={styles.list}>
					{sites.map((site) => (
						<li key={site}>{site}</li>
					))}
				</ul>
				<p className={styles.text}>{t.filteredHint}</p>
				<Submit autoFocus>{t.go}</Submit>
			</Form>
		</FormPage>
	);
}
