import { useState } from "react";
import { type Answer, call } from "../../api/client.ts";
import { classes } from "../../lib/classes.ts";
import { textOf, useForm } from "../../lib/use-form.ts";
import { Card } from "../../ui/card/card.tsx";
import { Field } from "../../ui/field/field.tsx";
import { Form, Submit } from "../../ui/form/form.tsx";
import type { Site } from "../site/index.ts";
import styles from "./install.module.css";
import { t } from "./texts.ts";

type PageCheck = Answer<"POST /sites/{id}/pixel/check">;

/** The server opens a page of the site and tells whether the snippet stands in it, and may work there. */
export function PageCheckCard({ site }: { readonly site: Site }) {
	const [found, setFound] = useState<PageCheck>();
	const form = useForm(async (values) => {
		setFound(undefined);
		const typed = textOf(values, "url");
		const url = /^https?:\/\//i.test(typed) ? typed : `https://${typed}`;
		setFound(await call("POST /sites/{id}/pixel/check", { path: { id: site.id }, body: { url } }));
	});
	const [domain] = site.domains;
	return (
		<Card title={t.check}>
			<p className={styles.hint}>{t.checkHint}</p>
			<Form form={form} className={styles.add}>
				<div className={styles.row}>
					<Field
						label={t.url}
						name="url"
						inputMode="url"
						autoCapitalize="none"
						spellCheck={false}
						required
						defaultValue={domain === undefined ? "" : `https://${domain}/`}
					/>
					<Submit look="plain">{form.isBusy ? t.checking : t.checkNow}</Submit>
				</div>
			</Form>
			<div role="status">{found && <Verdict found={found} />}</div>
		</Card>
	);
}

function Verdict({ found }: { readonly found: PageCheck }) {
	const { verdict, csp } = found;
	return (
		<div className={classes(styles.found, verdict === "ok" ? styles.isGood : styles.isBad)}>
			<p>{t.verdicts[verdict](found)}</p>
			{verdict === "csp_blocks" && csp && (
				<ul className={styles.list}>
					{!csp.script_src_ok && <li>{t.needsScript}</li>}
					{!csp.connect_src_ok && <li>{t.needsConnect}</li>}
				</ul>
			)}
			{csp?.header && verdict === "csp_blocks" && <code>{csp.header}</code>}
		</div>
	);
}
