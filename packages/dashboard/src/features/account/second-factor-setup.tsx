import { useState } from "react";
import { type Answer, call } from "../../api/client.ts";
import { textOf, useForm } from "../../lib/use-form.ts";
import { Button } from "../../ui/button/button.tsx";
import { Field } from "../../ui/field/field.tsx";
import { Problem } from "../../ui/page/form-page.tsx";
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
		<form className={styles.form} onSubmit={form.onSubmit}>
			<Problem failure={form.failure} />
			<Field
				label={t.current}
				name="password"
				type="password"
				autoComplete="current-password"
				required
				autoFocus
				error={form.errorOf("password")}
			/>
			<div className={styles.actions}>
				<Button type="submit" look="primary" disabled={form.isBusy}>
					{t.go}
				</Button>
				<Button onClick={onCancel}>{t.cancel}</Button>
			</div>
		</form>
	);
}

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
			<form className={styles.form} onSubmit={form.onSubmit}>
				<h3>{t.scan}</h3>
				<p className={styles.muted}>{t.scanText}</p>
				<Problem failure={form.failure} />
				<Secret label={t.secret} value={setup.secret} isShownOnce={false} />
				<CodeField error={form.errorOf("code")} />
				<div className={styles.actions}>
					<Button type="submit" look="primary" disabled={form.isBusy}>
						{t.check}
					</Button>
					<Button onClick={onCancel}>{t.cancel}</Button>
				</div>
			</form>
		</div>
	);
}
