import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { boot } from "../../api/boot.ts";
import { call } from "../../api/client.ts";
import { texts } from "../../lib/language.ts";
import { textOf, useForm } from "../../lib/use-form.ts";
import { Button } from "../../ui/button/button.tsx";
import { Field } from "../../ui/field/field.tsx";
import { FormPage, Problem } from "../../ui/page/form-page.tsx";
import styles from "../../ui/page/page.module.css";
import { enter } from "./enter.ts";

const t = texts({
	en: {
		title: "Sign in",
		email: "E-mail",
		password: "Password",
		forgot: "Forgot your password?",
		signUp: "Create an account",
		second: "Two-step sign-in",
		code: "Code of your app",
		backup: "Backup code",
		useBackup: "Use a backup code",
		useApp: "Use the app's code",
		go: "Go on",
	},
	es: {
		title: "Entrar",
		email: "Correo",
		password: "Contraseña",
		forgot: "¿Olvidaste la contraseña?",
		signUp: "Crear una cuenta",
		second: "Verificación en dos pasos",
		code: "Código de tu aplicación",
		backup: "Código de respaldo",
		useBackup: "Usar un código de respaldo",
		useApp: "Usar el código de la aplicación",
		go: "Continuar",
	},
});

/** Mail and password, then the second step where the account has one. */
export function SignInScreen() {
	const [challenge, setChallenge] = useState<string>();
	return challenge === undefined ? (
		<PasswordStep onChallenge={setChallenge} />
	) : (
		<CodeStep challenge={challenge} onGone={() => setChallenge(undefined)} />
	);
}

function PasswordStep({ onChallenge }: { readonly onChallenge: (token: string) => void }) {
	const form = useForm(async (values) => {
		const answer = await call("POST /auth/token", {
			body: { email: textOf(values, "email"), password: textOf(values, "password") },
		});
		if ("challenge_token" in answer) onChallenge(String(answer.challenge_token));
		else enter();
	});
	return (
		<FormPage
			title={t.title}
			foot={
				<>
					<Link to="/forgot-password">{t.forgot}</Link>
					{boot.config?.registration === "open" && <Link to="/sign-up">{t.signUp}</Link>}
				</>
			}
		>
			<form className={styles.form} onSubmit={form.onSubmit}>
				<Problem failure={form.failure} />
				<Field
					label={t.email}
					name="email"
					type="email"
					autoComplete="username"
					required
					autoFocus
					error={form.errorOf("email")}
				/>
				<Field
					label={t.password}
					name="password"
					type="password"
					autoComplete="current-password"
					required
					error={form.errorOf("password")}
				/>
				<Button type="submit" look="primary" disabled={form.isBusy}>
					{t.title}
				</Button>
			</form>
		</FormPage>
	);
}

function CodeStep({ challenge, onGone }: { readonly challenge: string; readonly onGone: () => void }) {
	const [isBackup, setIsBackup] = useState(false);
	const form = useForm(async (values) => {
		await call("POST /2fa/verify-login", {
			body: {
				challenge_token: challenge,
				code: textOf(values, "code").replaceAll(/\s/g, ""),
				is_backup_code: isBackup,
			},
		});
		enter();
	});
	return (
		<FormPage
			title={t.second}
			foot={
				<Button look="quiet" onClick={onGone}>
					{t.title}
				</Button>
			}
		>
			<form className={styles.form} onSubmit={form.onSubmit}>
				<Problem failure={form.failure} />
				<Field
					key={String(isBackup)}
					label={isBackup ? t.backup : t.code}
					name="code"
					inputMode={isBackup ? "text" : "numeric"}
					autoComplete="one-time-code"
					required
					autoFocus
					error={form.errorOf("code")}
				/>
				<Button type="submit" look="primary" disabled={form.isBusy}>
					{t.go}
				</Button>
				<Button look="quiet" onClick={() => setIsBackup(!isBackup)}>
					{isBackup ? t.useApp : t.useBackup}
				</Button>
			</form>
		</FormPage>
	);
}
