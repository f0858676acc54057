import { Check, Copy } from "lucide-react";
import { useState } from "react";
import { copy } from "../../lib/clipboard.ts";
import { texts } from "../../lib/language.ts";
import { Button } from "../button/button.tsx";
import styles from "./secret.module.css";

const t = texts({
	en: { copy: "Copy", copied: "Copied", once: "Copy it now. It won't be shown again." },
	es: { copy: "Copiar", copied: "Copiado", once: "Cópialo ahora. No se volverá a mostrar." },
});

interface SecretProps {
	/** Names the value: “Key”. */
	readonly label: string;
	readonly value: string;
	/** False for what can be seen again. */
	readonly isShownOnce?: boolean;
}

/** A value to be copied: a key, a link, a block of code. */
export function Secret({ label, value, isShownOnce = true }: SecretProps) {
	const [isCopied, setCopied] = useState(false);
	return (
		<div className={styles.secret}>
			<div className={styles.head}>
				<strong>{label}</strong>
				<Button small onClick={() => void copy(value).then(() => setCopied(true))}>
					{isCopied ? <Check size={14} aria-hidden="true" /> : <Copy size={14} aria-hidden="true" />}
					<span role="status">{isCopied ? t.copied : t.copy}</span>
				</Button>
			</div>
			<pre className={styles.value}>
				<code>{value}</code>
			</pre>
			{isShownOnce && <p className="caption">{t.once}</p>}
		</div>
	);
}
