import { useState } from "react";
import { copy } from "../../lib/clipboard.ts";
import { Button } from "../../ui/button/button.tsx";
import styles from "./account.module.css";
import { t } from "./security-texts.ts";

interface BackupCodesProps {
	readonly codes: readonly string[];
	/** They are gone from the screen then, and from everywhere but where the reader put them. */
	readonly onKept: () => void;
}

/** Ten codes that are shown this once. */
export function BackupCodes({ codes, onKept }: BackupCodesProps) {
	const [isCopied, setCopied] = useState(false);
	return (
		<div className={styles.stack}>
			<h3>{t.codes}</h3>
			<p className={styles.muted}>{t.codesText}</p>
			<ul className={styles.codes} aria-label={t.codes}>
				{codes.map((code) => (
					<li key={code}>{code}</li>
				))}
			</ul>
			<div className={styles.actions}>
				<Button onClick={() => void copy(codes.join("\n")).then(() => setCopied(true))}>
					<span role="status">{isCopied ? t.copied : t.copy}</span>
				</Button>
				<Button onClick={() => print()}>{t.print}</Button>
				<Button look="primary" onClick={onKept}>
					{t.kept}
				</Button>
			</div>
		</div>
	);
}
