import { call } from "../../api/client.ts";
import { textOf, useForm } from "../../lib/use-form.ts";
import { Button } from "../../ui/button/button.tsx";
import { Dialog } from "../../ui/dialog/dialog.tsx";
import { Field } from "../../ui/field/field.tsx";
import { Problem } from "../../ui/page/form-page.tsx";
import styles from "./admin.module.css";
import type { User } from "./users-query.ts";
import { t } from "./users-texts.ts";

/** Lets a superadmin see what a user sees; the reason is recorded. */
export function ActAs({ user, onClose }: { readonly user: User; readonly onClose: () => void }) {
	const form = useForm(async (values) => {
		await call("POST /admin/impersonate-user", { body: { user_id: user.id, reason: textOf(values, "reason") } });
		// Nothing of what the superadmin sees may stay in memory.
		location.assign("/");
	});
	return (
		<Dialog title={t.actAs(user.name)} onClose={onClose}>
			<form className={styles.form} onSubmit={form.onSubmit}>
				<Problem failure={form.failure} />
				<p>{t.actText(user.name)}</p>
				<Field
					label={t.reason}
					hint={t.reasonHint}
					name="reason"
					maxLength={500}
					autoComplete="off"
					required
					error={form.errorOf("reason")}
				/>
				<div className={styles.actions}>
					<Button onClick={onClose}>{t.cancel}</Button>
					<Button type="submit" look="primary" disabled={form.isBusy}>
						{t.actAs(user.name)}
					</Button>
				</div>
			</form>
		</Dialog>
	);
}
