import { useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { call } from "../../api/client.ts";
import { download } from "../../lib/download.ts";
import { asFailure } from "../../lib/failure.ts";
import { textOf, useForm } from "../../lib/use-form.ts";
import { Button } from "../../ui/button/button.tsx";
import { Card } from "../../ui/card/card.tsx";
import { Dialog } from "../../ui/dialog/dialog.tsx";
import { Field, Select, verbatim } from "../../ui/field/field.tsx";
import { Form, Submit } from "../../ui/form/form.tsx";
import { Loaded } from "../../ui/loaded/loaded.tsx";
import { failureText } from "../../ui/page/failure-text.ts";
import { toast } from "../../ui/toast/toast.tsx";
import { usePlanHas } from "../settings/index.ts";
import { useSite } from "../site/index.ts";
import styles from "./allowlist.module.css";
import { ManyForm } from "./many-form.tsx";
import { PatternList } from "./pattern-list.tsx";
import { t } from "./texts.ts";
import { type PatternInput, patternsQuery, usePatterns } from "./use-allowlist.ts";

/** The addresses that are let in: one by one, or many as lines of a text. */
export function PatternsCard() {
	const site = useSite();
	const [isAdding, setAdding] = useState(false);
	const patterns = useQuery(patternsQuery(site.id));
	const isInPlan = usePlanHas("ip_allowlist");
	const hasSome = patterns.data !== undefined && patterns.data.total > 0;
	return (
		<Card
			title={t.patterns}
			actions={
				<div className={styles.actions}>
					{isInPlan && (
						<Button small onClick={() => setAdding(true)}>
							{t.many}
						</Button>
					)}
					{hasSome && (
						<Button small onClick={() => void saveList(site.id)}>
							{t.export}
						</Button>
					)}
				</div>
			}
		>
			<div className={styles.form}>
				{isInPlan && <PatternForm />}
				<Loaded query={patterns} isEmpty={({ total }) => total === 0} empty={<p>{t.none}</p>}>
					{(data) => <PatternList patterns={data.patterns} />}
				</Loaded>
			</div>
			{isAdding && (
				<Dialog title={t.many} onClose={() => setAdding(false)}>
					<ManyForm onDone={() => setAdding(false)} />
				</Dialog>
			)}
		</Card>
	);
}

async function saveList(site: string): Promise<void> {
	try {
		const { text } = await call("GET /ip-allowlist/export", { query: { account_id: site, include_inactive: true } });
		download(`${site}-allowlist.txt`, new Blob([text], { type: "text/plain;charset=utf-8" }));
	} catch (error) {
		toast(failureText(asFailure(error)));
	}
}

/** A slash tells a range from an address; an expression looks like neither. */
function inputOf(values: FormData): PatternInput {
	const pattern = textOf(values, "pattern").trim();
	const plain = pattern.includes("/") ? "cidr" : "ip";
	return {
		pattern,
		pattern_type: textOf(values, "kind") === "regex" ? "regex" : plain,
		label: textOf(values, "label").trim() || null,
	};
}

/** One more address. */
function PatternForm() {
	const site = useSite();
	const element = useRef<HTMLFormElement>(null);
	const { add } = usePatterns(site.id);
	const form = useForm(async (values) => {
		await add.mutateAsync(inputOf(values));
		element.current?.reset();
	});
	return (
		<Form form={form} ref={element} className={styles.form}>
			<div className={styles.fields}>
				<Field label={t.one} hint={t.oneHint} name="pattern" required maxLength={255} {...verbatim} />
				<Field label={t.label} name="label" maxLength={100} placeholder={t.labelPlaceholder} autoComplete="off" />
				<Select label={t.kind} name="kind">
					{Object.entries(t.kinds).map(([kind, label]) => (
						<option key={kind} value={kind}>
							{label}
						</option>
					))}
				</Select>
				<Submit look="plain" className={styles.beside}>
					{t.add}
				</Submit>
			</div>
		</Form>
	);
}
