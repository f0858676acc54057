import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type Answer, call } from "../../api/client.ts";
import { may } from "../../api/may.ts";
import { download } from "../../lib/download.ts";
import { asFailure } from "../../lib/failure.ts";
import { textOf, useForm } from "../../lib/use-form.ts";
import { AddButton } from "../../ui/button/add-button.tsx";
import { Button } from "../../ui/button/button.tsx";
import { Card } from "../../ui/card/card.tsx";
import { Check, Field, verbatim } from "../../ui/field/field.tsx";
import { Form, Submit } from "../../ui/form/form.tsx";
import { Item, Items } from "../../ui/items/items.tsx";
import { Loaded } from "../../ui/loaded/loaded.tsx";
import { failureText } from "../../ui/page/failure-text.ts";
import { toast } from "../../ui/toast/toast.tsx";
import { ScreenHead, type Site, usePanel, useSite, valueName } from "../site/index.ts";
import styles from "./channels.module.css";
import { ImportDialog } from "./import-dialog.tsx";
import { OwnRules } from "./own-rules.tsx";
import { RuleDialog } from "./rule-dialog.tsx";
import { ruleWords } from "./rule-words.ts";
import { t } from "./texts.ts";
import { type Rule, rulesQuery } from "./use-rules.ts";

/** The rules that make a channel of where a visit comes from. */
export function ChannelsScreen() {
	const site = useSite();
	const query = useQuery(rulesQuery(site.id));
	const panel = usePanel();
	const mayWrite = may("POST /channel-groups", site.role);
	return (
		<>
			<ScreenHead title={t.title}>
				{mayWrite && <AddButton onClick={() => panel.open("new")}>{t.add}</AddButton>}
			</ScreenHead>
			<p className={styles.hint}>{t.explained}</p>
			<Card
				title={t.own}
				actions={
					<div className={styles.actions}>
						{mayWrite && (
							<Button small onClick={() => panel.open("import")}>
								{t.import}
							</Button>
						)}
						<Button small onClick={() => void save(site.id)}>
							{t.export}
						</Button>
					</div>
				}
			>
				<Loaded query={query} isEmpty={({ custom_count: count }) => count === 0} empty={<Empty />}>
					{({ rules }) => <OwnRules site={site} rules={rules.filter(({ is_default: isBuiltIn }) => !isBuiltIn)} />}
				</Loaded>
			</Card>
			<Card title={t.builtIn}>
				<Loaded query={query}>
					{({ rules }) => <BuiltIn rules={rules.filter(({ is_default: isBuiltIn }) => isBuiltIn)} />}
				</Loaded>
			</Card>
			<TesterCard site={site} />
			{mayWrite && panel.kind === "new" && <RuleDialog site={site} onClose={panel.close} />}
			{mayWrite && panel.kind === "rule" && (
				<RuleDialog key={panel.id} site={site} id={Number(panel.id)} onClose={panel.close} />
			)}
			{mayWrite && panel.kind === "import" && <ImportDialog site={site} onClose={panel.close} />}
		</>
	);
}

const Empty = () => (
	<>
		<p>{t.none}</p>
		<p>{t.noneHint}</p>
	</>
);

/** Hands the reader the rules as a file. */
async function save(site: string): Promise<void> {
	try {
		const rules = await call("GET /channel-groups/export", { query: { account_id: site } });
		download(`${site}-channels.json`, new Blob([JSON.stringify(rules, null, "\t")], { type: "application/json" }));
	} catch (error) {
		toast(failureText(asFailure(error)));
	}
}

const BuiltIn = ({ rules }: { readonly rules: readonly Rule[] }) => (
	<details className={styles.builtIn}>
		<summary>{t.builtInCount(rules.length)}</summary>
		<Items label={t.builtIn}>
			{rules.map((rule) => (
				<Item key={rule.id} title={rule.channel_name} facts={ruleWords(rule)} />
			))}
		</Items>
	</details>
);

type Verdict = Answer<"POST /channel-groups/test">;

/** Says which channel a visit would get, and by which rule. */
function TesterCard({ site }: { readonly site: Site }) {
	const [verdict, setVerdict] = useState<Verdict>();
	const form = useForm(async (values) => {
		setVerdict(
			await call("POST /channel-groups/test", {
				query: { account_id: site.id },
				body: {
					source: textOf(values, "source").trim(),
					medium: textOf(values, "medium").trim(),
					campaign: textOf(values, "campaign").trim(),
					include_inactive: values.has("include_inactive"),
				},
			}),
		);
	});
	return (
		<Card title={t.tester}>
			<p className={styles.hint}>{t.testerHint}</p>
			<Form form={form} className={styles.tester} onInput={() => setVerdict(undefined)}>
				<div className={styles.visit}>
					{(["source", "medium", "campaign"] as const).map((name) => (
						<Field key={name} label={t.fields[`${name}_pattern`]} name={name} maxLength={255} {...verbatim} />
					))}
				</div>
				<Check label={t.askDrafts} name="include_inactive" />
				<div className={styles.actions}>
					<Submit look="plain">{t.ask}</Submit>
					<p role="status">{verdict && wordsOf(verdict)}</p>
				</div>
			</Form>
		</Card>
	);
}

function wordsOf({ channel, matched_rule: rule }: Verdict): string {
	const name = valueName("channel_group", channel);
	if (rule === null) return t.verdictNone(name);
	return rule.is_default ? t.verdictBuiltIn(name) : t.verdictOwn(name, ruleWords(rule));
}
