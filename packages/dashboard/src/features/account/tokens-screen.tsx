import { Link } from "@tanstack/react-router";
import { texts } from "../../lib/language.ts";
import { Card } from "../../ui/card/card.tsx";
import { KeyList, MakeKey } from "../keys/index.ts";
import styles from "./account.module.css";
import { AccountFrame } from "./account-frame.tsx";

const t = texts({
	en: {
		title: "API keys",
		make: "A key for a program",
		text: "Whoever has a key reads what it may read, without your password. It can be taken back at any time.",
		more: "How to use one",
	},
	es: {
		title: "Claves de API",
		make: "Una clave para un programa",
		text: "Quien tiene una clave lee lo que esta permite, sin tu contraseña. Puedes retirarla en cualquier momento.",
		more: "Cómo se usa",
	},
});

/** Keys of the reader, by which programs read. */
export const TokensScreen = () => (
	<AccountFrame title={t.title}>
		<Card title={t.make} actions={<Link to="/developers">{t.more}</Link>}>
			<div className={styles.stack}>
				<p className={styles.muted}>{t.text}</p>
				<MakeKey />
			</div>
		</Card>
		<KeyList />
	</AccountFrame>
);
