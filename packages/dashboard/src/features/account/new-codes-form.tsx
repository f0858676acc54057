import { call } from "../../api/client.ts";
import { textOf, useForm } from "../../lib/use-form.ts";
import { Button } from "../../ui/button/button.tsx";
import { Problem } from "../../ui/page/form-page.tsx";
import styles from "./account.module.css";
import { CodeField } from "./code-field.tsx";
import { t } from "./security-texts.ts";

interface NewCodesFormProps {
	readonly onCancel: () => void;
	readonly onDone: (codes: readonly string[]) => void;
}

/** Ten other backup codes, for a code of the app. */
export function NewCodesForm({ onCancel, onDone }: NewCodesFormProps) {
	const form = useForm(async (values) => {
		const code = textOf(values, "code").replaceAll(/\s/g, "");
		const { backup_codes: codes } = await call("POST /2fa/backup-codes/regenerate", { body: { code } });
		onDone(codes);
	});
	return (
		<form className={styles.form} onSubmit={form.onSubmit}>
			<p className={styles.muted}>{t.anewText}</p>
			<Problem failure={form.failure} />
			<CodeField error={form.errorOf("code")} />
			<div className={styles.actions}>
				<Button type="submit" look="primary" disabled={form.isBusy}>
					{t.anew}
				</Button>
				<Button onClick={onCancel}>{t.cancel}</Button>
			</div>
		</form>
	);
}
