import { call } from "../../api/client.ts";
import { textOf, useForm } from "../../lib/use-form.ts";
import { Dialog } from "../../ui/dialog/dialog.tsx";
import { Field } from "../../ui/field/field.tsx";
import { Cancel, Form, Submit } from "../../ui/form/form.tsx";
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
			<Form form={form} className={styles.form}>
				<p>{t.actText(user.name)}</p>
				<Field label={t.reason} hint={t.reasonHint} name="reason" maxLength={500} autoComplete="off" required />
				<div className={styles.actions}>
					<Cancel onClick={onClose} />
					<Submit>{t.actAs(user.name)}</Submit>
				</div>
			</Form>
		</Dialog>
	);
}
