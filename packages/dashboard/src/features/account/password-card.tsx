import { useSuspenseQuery } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../../api/client.ts";
import { textOf, useForm } from "../../lib/use-form.ts";
import { Button } from "../../ui/button/button.tsx";
import { Card } from "../../ui/card/card.tsx";
import { Field } from "../../ui/field/field.tsx";
import { useChange } from "../../ui/form/use-change.ts";
import { Problem } from "../../ui/page/form-page.tsx";
import { PasswordRules } from "../auth/index.ts";
import { meQuery } from "../site/index.ts";
import styles from "./account.module.css";
import { t } from "./security-texts.ts";

/** Changes the password; asks for the current one. */
export function PasswordCard() {
	const [isOpen, setOpen] = useState(false);
	return (
		<Card title={t.password}>
			<div className={styles.stack}>
				<p className={styles.muted}>{t.passwordText}</p>
				{isOpen ? (
					<PasswordForm close={() => setOpen(false)} />
				) : (
					<Button onClick={() => setOpen(true)}>{t.change}</Button>
				)}
			</div>
		</Card>
	);
}

function PasswordForm({ close }: { readonly close: () => void }) {
	const { data: me } = useSuspenseQuery(meQuery);
	const [typed, setTyped] = useState("");
	const change = useChange({
		run: (body: { current_password: string; new_password: string }) => call("POST /users/me/password", { body }),
		stale: ["GET /auth/sessions"],
		done: ({ sessions_terminated: ended }) => t.changed(ended),
	});
	const form = useForm(async (values) => {
		await change.mutateAsync({
			current_password: textOf(values, "current_password"),
			new_password: textOf(values, "new_password"),
		});
		close();
	});
	return (
		<form className={styles.form} onSubmit={form.onSubmit}>
			<Problem failure={form.failure} />
			<input type="hidden" name="email" autoComplete="username" value={me.email} readOnly />
			<Field
				label={t.current}
				name="current_password"
				type="password"
				autoComplete="current-password"
				required
				autoFocus
				error={form.errorOf("current_password")}
			/>
			<Field
				label={t.next}
				name="new_password"
				type="password"
				autoComplete="new-password"
				minLength={12}
				maxLength={128}
				required
				error={form.errorOf("new_password")}
				hint={<PasswordRules email={me.email} password={typed} />}
				onChange={({ target }) => setTyped(target.value)}
			/>
			<div className={styles.actions}>
				<Button type="submit" look="primary" disabled={form.isBusy}>
					{t.change}
				</Button>
				<Button onClick={close}>{t.cancel}</Button>
			</div>
		</form>
	);
}
