import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { boot } from "../../api/boot.ts";
import { call } from "../../api/client.ts";
import { textOf, useForm } from "../../lib/use-form.ts";
import { Field } from "../../ui/field/field.tsx";
import { Form, Submit } from "../../ui/form/form.tsx";
import { FormPage } from "../../ui/page/form-page.tsx";
import styles from "../../ui/page/page.module.css";
import { t } from "./texts.ts";

/** Asks for a mail to set a new password; the answer is the same for every address. */
export function ForgotPasswordScreen() {
	const [sentTo, setSentTo] = useState<string>();
	const form = useForm(async (values) => {
		const email = textOf(values, "email");
		await call("POST /auth/forgot-password", { body: { email } });
		setSentTo(email);
	});
	const foot = <Link to="/sign-in">{t.back}</Link>;
	if (sentTo !== undefined) {
		return (
			<FormPage title={t.look} foot={foot}>
				<p role="status" className={styles.text}>
					{boot.config?.mail === "outbox" ? t.noMailDone(sentTo) : t.forgotDone(sentTo)}
				</p>
			</FormPage>
		);
	}
	return (
		<FormPage title={t.forgot} foot={foot}>
			{boot.config?.mail !== "outbox" && <p className={styles.text}>{t.forgotText}</p>}
			<Form
				form={form}
				className={styles.form}
				intro={boot.config?.mail === "outbox" && <p className={styles.tip}>{t.noMail}</p>}
			>
				<Field label={t.email} name="email" type="email" autoComplete="username" required autoFocus />
				<Submit>{t.send}</Submit>
			</Form>
		</FormPage>
	);
}
