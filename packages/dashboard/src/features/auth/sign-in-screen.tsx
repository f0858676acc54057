import { useState } from "react";
import { CodeStep } from "./code-step.tsx";
import { type Entered, enter } from "./enter.ts";
import { FilteredStep } from "./filtered-step.tsx";
import { PasswordStep } from "./password-step.tsx";

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
