import { useState } from "react";
import { call } from "../../api/client.ts";
import type { Failure } from "../../lib/failure.ts";
import { textOf, useForm } from "../../lib/use-form.ts";
import { Button } from "../../ui/button/button.tsx";
import { Field } from "../../ui/field/field.tsx";
import { Form, Submit } from "../../ui/form/form.tsx";
import { FormPage, Problem } from "../../ui/page/form-page.tsx";
import styles from "../../ui/page/page.module.css";
import type { Entered } from "./enter.ts";
import { t } from "./texts.ts";

interface CodeStepProps {
	readonly challenge: string;
	readonly onEntered: (entered: Entered) => Promise<void>;
	/** Back to the password: the challenge is over, or was not wanted. */
	readonly onGone: () => void;
}

/** After these the challenge is worth nothing: only the password makes another. */
const endings = ["token_invalid", "token_expired", "rate_limit_exceeded"];

/** The second step: a code of the authenticator, or one of those that were kept for when it is lost. */
export function CodeStep({ challenge, onEntered, onGone }: CodeStepProps) {
	const [isBackup, setIsBackup] = useState(false);
	const form = useForm(async (values) => {
		const code = textOf(values, "code").replaceAll(/\s/g, "");
		const answer = await call("POST /2fa/verify-login", {
			body: { challenge_token: challenge, code, is_backup_code: isBackup },
		});
		if (!("requires_2fa" in answer)) await onEntered(answer);
	});
	return (
		<FormPage
			title={t.second}
			foot={
				<Button look="quiet" small onClick={onGone}>
					{t.back}
				</Button>
			}
		>
			<Form
				form={form}
				className={styles.form}
				problem={<CodeProblem failure={form.failure} isBackup={isBackup} onGone={onGone} />}
			>
				<Field
					key={String(isBackup)}
					label={isBackup ? t.backup : t.code}
					hint={isBackup ? t.backupHint : t.codeHint}
					name="code"
					inputMode={isBackup ? "text" : "numeric"}
					autoComplete={isBackup ? "off" : "one-time-code"}
					autoCapitalize="none"
					spellCheck={false}
					minLength={6}
					maxLength={20}
					required
					autoFocus
				/>
				<Submit>{t.go}</Submit>
				<Button look="quiet" onClick={() => setIsBackup(!isBackup)}>
					{isBackup ? t.useApp : t.useBackup}
				</Button>
			</Form>
		</FormPage>
	);
}

interface CodeProblemProps {
	readonly failure: Failure | undefined;
	readonly isBackup: boolean;
	readonly onGone: () => void;
}

function CodeProblem({ failure, isBackup, onGone }: CodeProblemProps) {
	if (failure === undefined) return null;
	const isOver = endings.includes(failure.code);
	if (!isOver && failure.code !== "invalid_credentials") return <Problem failure={failure} />;
	return (
		<div role="alert" className={styles.problem}>
			<p>{isOver ? t.challengeOver : isBackup ? t.wrongBackup : t.wrongCode}</p>
			{isOver && (
				<Button small onClick={onGone}>
					{t.again}
				</Button>
			)}
		</div>
	);
}
