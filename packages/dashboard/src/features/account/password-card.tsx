import { useSuspenseQuery } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../../api/client.ts";
import { textOf, useForm } from "../../lib/use-form.ts";
import { Button } from "../../ui/button/button.tsx";
import { Card } from "../../ui/card/card.tsx";
import { Field } from "../../ui/field/field.tsx";
import { Cancel, Form, Submit } from "../../ui/form/form.tsx";
import { useChange } from "../../ui/form/use-change.ts";
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
		<Form form={form} className={styles.form}>
			<input type="hidden" name="email" autoComplete="username" value={me.email} readOnly />
			<Field
				label={t.current}
				name="current_password"
				type="password"
				autoComplete="current-password"
				required
				autoFocus
			/>
			<Field
				label={t.next}
				name="new_password"
				type="password"
				autoComplete="new-password"
				minLength={12}
				maxLength={128}
				required
				hint={<PasswordRules email={me.email} password={typed} />}
				onChange={({ target }) => setTyped(target.value)}
			/>
			<div className={styles.actions}>
				<Submit>{t.change}</Submit>
				<Cancel onClick={close} />
			</div>
		</Form>
	);
}
