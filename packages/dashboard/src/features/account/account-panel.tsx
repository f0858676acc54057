import { useSuspenseQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { BookOpen, Building2, CircleQuestionMark, Code, Keyboard, LogOut, ServerCog, UserRound } from "lucide-react";
import { type ReactNode, useState } from "react";
import { call } from "../../api/client.ts";
import { endSession } from "../../api/session.ts";
import { asFailure } from "../../lib/failure.ts";
import { chooseLanguage, type Language, language, texts } from "../../lib/language.ts";
import { toast } from "../../ui/toast/toast.tsx";
import { openHelp } from "../palette/index.ts";
import {
	chooseTheme,
	currentTheme,
	languages,
	type Theme,
	themes,
	useChangePreferences,
} from "../preferences/index.ts";
import { meQuery } from "../site/index.ts";
import styles from "./account-menu.module.css";

/** Words of what the menu of the reader opens. */
const t = texts({
	en: {
		account: "Account",
		organizations: "Organizations",
		developers: "For developers",
		language: "Language",
		theme: "Appearance",
		themes: { system: "System", light: "Light", dark: "Dark" },
		admin: "Administration",
		help: "Help",
		reference: "API reference",
		keys: "Keyboard shortcuts",
		signOut: "Sign out",
		signOutFailed: "Couldn't sign out. Try again.",
	},
	es: {
		account: "Cuenta",
		organizations: "Organizaciones",
		developers: "Para desarrolladores",
		language: "Idioma",
		theme: "Aspecto",
		themes: { system: "Sistema", light: "Claro", dark: "Oscuro" },
		admin: "Administración",
		help: "Ayuda (en inglés)",
		reference: "Referencia de la API",
		keys: "Atajos de teclado",
		signOut: "Cerrar sesión",
		signOutFailed: "No se ha podido cerrar la sesión. Inténtalo de nuevo.",
	},
});

/** The account panel: profile, appearance and sign-out. */
export function AccountPanel({ close }: { readonly close: () => void }) {
	const { data: me } = useSuspenseQuery(meQuery);
	return (
		<div className={styles.panel}>
			<p className={styles.who}>
				<strong>{me.name}</strong>
				<span title={me.email}>{me.email}</span>
			</p>
			<Look />
			<ul className={styles.actions}>
				<PanelLink to="/account" icon={<UserRound size={16} aria-hidden="true" />} close={close}>
					{t.account}
				</PanelLink>
				<PanelLink to="/organizations" icon={<Building2 size={16} aria-hidden="true" />} close={close}>
					{t.organizations}
				</PanelLink>
				<PanelLink to="/developers" icon={<Code size={16} aria-hidden="true" />} close={close}>
					{t.developers}
				</PanelLink>
				{me.role === "superadmin" && (
					<li>
						<Link to="/admin/$screen" params={{ screen: "users" }} onClick={close}>
							<ServerCog size={16} aria-hidden="true" /> {t.admin}
						</Link>
					</li>
				)}
				<li>
					<a href="/help" target="_blank" rel="noreferrer">
						<CircleQuestionMark size={16} aria-hidden="true" /> {t.help}
					</a>
				</li>
				<li>
					<a href="/docs" target="_blank" rel="noreferrer">
						<BookOpen size={16} aria-hidden="true" /> {t.reference}
					</a>
				</li>
				<li>
					<button
						type="button"
						onClick={() => {
							close();
							openHelp();
						}}
					>
						<Keyboard size={16} aria-hidden="true" /> {t.keys}
					</button>
				</li>
				<li>
					<button type="button" onClick={() => void signOut()}>
						<LogOut size={16} aria-hidden="true" /> {t.signOut}
					</button>
				</li>
			</ul>
		</div>
	);
}

interface PanelLinkProps {
	readonly to: "/account" | "/organizations" | "/developers";
	readonly icon: ReactNode;
	readonly close: () => void;
	readonly children: ReactNode;
}

const PanelLink = ({ to, icon, close, children }: PanelLinkProps) => (
	<li>
		<Link to={to} onClick={close}>
			{icon} {children}
		</Link>
	</li>
);

function Look() {
	const preferences = useChangePreferences();
	const [theme, setTheme] = useState(currentTheme);
	const choose = (wanted: Theme) => {
		chooseTheme(wanted);
		setTheme(wanted);
		preferences.mutate({ theme: wanted });
	};
	// The cookie is what this browser goes by: the page comes in the new language also where keeping it elsewhere failed.
	const speak = (wanted: Language) =>
		preferences.mutate({ language: wanted }, { onSettled: () => chooseLanguage(wanted) });
	return (
		<div className={styles.look}>
			<fieldset className={styles.themes}>
				<legend>{t.theme}</legend>
				{themes.map((one) => (
					<label key={one}>
						<input type="radio" name="theme" checked={one === theme} onChange={() => choose(one)} />
						<span>{t.themes[one]}</span>
					</label>
				))}
			</fieldset>
			<label className={styles.language}>
				{t.language}
				<select value={language} onChange={(event) => speak(event.target.value === "es" ? "es" : "en")}>
					{languages.map(([code, name]) => (
						<option key={code} value={code} lang={code}>
							{name}
						</option>
					))}
				</select>
			</label>
		</div>
	);
}

async function signOut(): Promise<void> {
	try {
		await call("POST /auth/logout");
	} catch (error) {
		// Without a session one is out already; else it would go on, unseen.
		if (asFailure(error).status !== 401) return toast(t.signOutFailed);
	}
	endSession();
}
