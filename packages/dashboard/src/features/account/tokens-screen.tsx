import { Link } from "@tanstack/react-router";
import { texts } from "../../lib/language.ts";
import { Card } from "../../ui/card/card.tsx";
import { KeyList, MakeKey } from "../keys/index.ts";
import styles from "./account.module.css";
import { AccountFrame } from "./account-frame.tsx";

const t = texts({
	en: {
		title: "API keys",
		make: "New API key",
		text: "API keys let programs read your stats. You can revoke them at any time.",
		more: "How to use API keys",
	},
	es: {
		title: "Claves API",
		make: "Nueva clave API",
		text: "Las claves API permiten que los programas lean tus estadísticas. Puedes revocarlas en cualquier momento.",
		more: "Cómo usar claves API",
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
