import { useState } from "react";
import { type Answer, call } from "../../api/client.ts";
import { textOf, useForm } from "../../lib/use-form.ts";
import { Field } from "../../ui/field/field.tsx";
import { Cancel, Form, Submit } from "../../ui/form/form.tsx";
import { Secret } from "../../ui/secret/secret.tsx";
import styles from "./account.module.css";
import { CodeField } from "./code-field.tsx";
import { t } from "./security-texts.ts";

interface SetupProps {
	readonly onCancel: () => void;
	/** The backup codes, shown this once. */
	readonly onDone: (codes: readonly string[]) => void;
}

/** Two steps: the password, then a first code of the app that was given the secret. */
export function SecondFactorSetup({ onCancel, onDone }: SetupProps) {
	const [setup, setSetup] = useState<Answer<"POST /2fa/setup">>();
	const cancel = () => {
		// An abandoned setup expires by itself after ten minutes.
		if (setup !== undefined) void call("POST /2fa/setup/cancel").catch(() => undefined);
		onCancel();
	};
	return setup === undefined ? (
		<PasswordStep onCancel={cancel} onDone={setSetup} />
	) : (
		<CodeStep setup={setup} onCancel={cancel} onDone={onDone} />
	);
}

interface PasswordStepProps {
	readonly onCancel: () => void;
	readonly onDone: (setup: Answer<"POST /2fa/setup">) => void;
}

function PasswordStep({ onCancel, onDone }: PasswordStepProps) {
	const form = useForm(async (values) =>
		onDone(await call("POST /2fa/setup", { body: { password: textOf(values, "password") } })),
	);
	return (
		<Form form={form} className={styles.form}>
			<Field label={t.current} name="password" type="password" autoComplete="current-password" required autoFocus />
			<div className={styles.actions}>
				<Submit>{t.go}</Submit>
				<Cancel onClick={onCancel} />
			</div>
		</Form>
	);
}

const ScanText = () => (
	<>
		<h3>{t.scan}</h3>
		<p className={styles.muted}>{t.scanText}</p>
	</>
);

interface CodeStepProps extends SetupProps {
	readonly setup: Answer<"POST /2fa/setup">;
}

function CodeStep({ setup, onCancel, onDone }: CodeStepProps) {
	const form = useForm(async (values) => {
		const code = textOf(values, "code").replaceAll(/\s/g, "");
		const { backup_codes: codes } = await call("POST /2fa/verify", { body: { code } });
		onDone(codes);
	});
	return (
		<div className={styles.setup}>
			<img className={styles.qr} src={setup.qr_code_data_url} alt={t.qr} width={196} height={196} />
			<Form form={form} className={styles.form} intro={<ScanText />}>
				<Secret label={t.secret} value={setup.secret} isShownOnce={false} />
				<CodeField />
				<div className={styles.actions}>
					<Submit>{t.check}</Submit>
					<Cancel onClick={onCancel} />
				</div>
			</Form>
		</div>
	);
}
