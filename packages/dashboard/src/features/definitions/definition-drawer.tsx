import { Copy } from "lucide-react";
import { copy } from "../../lib/clipboard.ts";
import { todayIn } from "../../lib/days.ts";
import { Button } from "../../ui/button/button.tsx";
import { Dialog } from "../../ui/dialog/dialog.tsx";
import { toast } from "../../ui/toast/toast.tsx";
import { daysOf, type Metric, metrics, useChangeSearch, useSite, useSiteSearch } from "../site/index.ts";
import styles from "./definition-drawer.module.css";
import { definitionOf, statementOf } from "./statement.ts";
import { meanings, t } from "./texts.ts";

/** Definition of a metric: in words, as a formula, as SQL for the selected period, and by an example. */
export function DefinitionDrawer({ metric: key }: { readonly metric: string }) {
	const change = useChangeSearch();
	const metric = (metrics as Readonly<Record<string, Metric>>)[key];
	const definition = definitionOf(key);
	return (
		<Dialog title={metric?.label ?? key} shape="drawer" onClose={() => change({ panel: undefined })}>
			<div className={styles.definition}>
				<p className={styles.meaning}>{meanings[key] ?? t.unknown}</p>
				{definition?.formula && (
					<section>
						<h3>{t.calculated}</h3>
						<code className={styles.formula}>{definition.formula}</code>
					</section>
				)}
				<Sql metric={key} />
				{definition && <Example of={definition.example} />}
				<p className={styles.name}>
					{t.name}: <code>{key}</code>
				</p>
			</div>
		</Dialog>
	);
}

function Sql({ metric }: { readonly metric: string }) {
	const site = useSite();
	const days = daysOf(useSiteSearch(), todayIn(site.timezone));
	const sql = statementOf(metric, { site: site.id, ...days });
	if (sql === undefined) return null;
	return (
		<section>
			<header className={styles.head}>
				<h3>{t.sql}</h3>
				<Button look="quiet" small onClick={() => void copy(sql).then(() => toast(t.copied))}>
					<Copy size={14} aria-hidden="true" />
					{t.copy}
				</Button>
			</header>
			<pre className={styles.sql}>{sql}</pre>
		</section>
	);
}

function Example({ of: [first, second] }: { readonly of: readonly [string, string] | readonly [string] }) {
	return (
		<section>
			<h3>{t.example}</h3>
			<p>{t.story}</p>
			<dl className={styles.results}>
				<dt>{second === undefined ? t.both : t.of20}</dt>
				<dd>{first}</dd>
				{second !== undefined && (
					<>
						<dt>{t.of21}</dt>
						<dd>{second}</dd>
					</>
				)}
			</dl>
		</section>
	);
}
