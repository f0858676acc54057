import type { Report } from "../../api/batch.ts";
import { addressOf } from "../../api/client.ts";
import { copy } from "../../lib/clipboard.ts";
import { csvOf } from "../../lib/csv.ts";
import { texts } from "../../lib/language.ts";
import { toast } from "../../ui/toast/toast.tsx";
import styles from "./copy-as.module.css";
import { curlOf } from "./curl.ts";

const t = texts({
	en: {
		link: "Link to this view",
		curl: "curl command",
		csv: "CSV of the figures",
		sql: "SQL of the metric",
		question: "Question for an assistant",
		copied: (what: string) => `Copied: ${what}`,
		failed: "The browser did not allow copying.",
	},
	es: {
		link: "Enlace a esta vista",
		curl: "Orden de curl",
		csv: "CSV de las cifras",
		sql: "SQL de la métrica",
		question: "Pregunta para un asistente",
		copied: (what: string) => `Copiado: ${what}`,
		failed: "El navegador no permitió copiar.",
	},
});

/** What can be taken elsewhere. */
export interface CopyAsProps {
	/** The question that the figures answer, and what it is asked with. */
	readonly route: Report;
	readonly params: object;
	/** The figures, with the names of their columns first; absent while they are not there. */
	readonly rows?: (() => readonly (readonly (string | number)[])[]) | undefined;
	readonly sql?: (() => Promise<string | undefined>) | undefined;
	/** What one would ask an assistant that reads the same figures. */
	readonly question?: string | undefined;
	/** What is copied, where several such buttons are on the screen. */
	readonly name?: string;
}

/** The ways to take figures elsewhere, as far as there are any. */
export function CopyWays({ route, params, rows, sql, question, close }: CopyAsProps & { readonly close: () => void }) {
	const ways: readonly (readonly [string, (() => string | Promise<string | undefined>) | undefined])[] = [
		[t.link, () => location.href],
		[t.curl, () => curlOf(location.origin, route, params, addressOf)],
		[t.csv, rows && (() => csvOf(rows()))],
		[t.sql, sql],
		[t.question, question === undefined ? undefined : () => question],
	];
	return (
		<ul>
			{ways.map(
				([label, make]) =>
					make && (
						<li key={label}>
							<button
								type="button"
								className={styles.way}
								onClick={() => {
									close();
									void copyMade(label, make);
								}}
							>
								{label}
							</button>
						</li>
					),
			)}
		</ul>
	);
}

async function copyMade(label: string, make: () => string | Promise<string | undefined>): Promise<void> {
	try {
		await copy((await make()) ?? "");
		toast(t.copied(label));
	} catch {
		toast(t.failed);
	}
}
