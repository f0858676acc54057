import { asFailure } from "../../lib/failure.ts";
import { textOf, useForm } from "../../lib/use-form.ts";
import { Button } from "../../ui/button/button.tsx";
import { Field } from "../../ui/field/field.tsx";
import { FormPage, Problem } from "../../ui/page/form-page.tsx";
import styles from "./shared.module.css";
import { t } from "./texts.ts";

/** Asks for the password of a link. */
export function PasswordForm({ onEnter }: { readonly onEnter: (password: string) => Promise<unknown> }) {
	const form = useForm((values) => onEnter(textOf(values, "password")));
	const isWrong = form.failure !== undefined && asFailure(form.failure).code === "invalid_credentials";
	return (
		<FormPage title={t.locked}>
			<form className={styles.form} onSubmit={form.onSubmit}>
				<p className={styles.hint}>{t.lockedText}</p>
				{!isWrong && <Problem failure={form.failure} />}
				<Field
					label={t.password}
					name="password"
					type="password"
					autoComplete="current-password"
					required
					autoFocus
					error={isWrong ? t.wrong : undefined}
				/>
				<Button type="submit" look="primary" disabled={form.isBusy}>
					{t.open}
				</Button>
			</form>
		</FormPage>
	);
}
