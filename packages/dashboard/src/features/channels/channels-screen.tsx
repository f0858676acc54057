import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { type ChangeEvent, useState } from "react";
import { type Answer, call } from "../../api/client.ts";
import { may } from "../../api/may.ts";
import { download } from "../../lib/download.ts";
import { asFailure } from "../../lib/failure.ts";
import { moved } from "../../lib/moved.ts";
import { textOf, useForm } from "../../lib/use-form.ts";
import { AddButton } from "../../ui/button/add-button.tsx";
import { Button } from "../../ui/button/button.tsx";
import { Card } from "../../ui/card/card.tsx";
import { Dialog } from "../../ui/dialog/dialog.tsx";
import { Check, Field, Select, verbatim } from "../../ui/field/field.tsx";
import { Form, Submit } from "../../ui/form/form.tsx";
import { RecordForm } from "../../ui/form/record-form.tsx";
import { useChange } from "../../ui/form/use-change.ts";
import { Item, Items } from "../../ui/items/items.tsx";
import { RecordActions } from "../../ui/items/record-actions.tsx";
import { Loaded } from "../../ui/loaded/loaded.tsx";
import { failureText } from "../../ui/page/failure-text.ts";
import { Grip, MoveButtons, useDragging } from "../../ui/reorder/reorder.tsx";
import { toast } from "../../ui/toast/toast.tsx";
import { ScreenHead, type Site, usePanel, useSite, valueName } from "../site/index.ts";
import styles from "./channels.module.css";
import { RuleDialog } from "./rule-dialog.tsx";
import { ruleWords } from "./rule-words.ts";
import { t } from "./texts.ts";
import { type Rule, rulesQuery, useMoveRule, useRules } from "./use-rules.ts";

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
			<p className="intro">{t.explained}</p>
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
			<p className="intro">{t.testerHint}</p>
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

/** The site's own rules in the order in which they are asked; they are moved by dragging and by their buttons. */
function OwnRules({ site, rules }: { readonly site: Site; readonly rules: readonly Rule[] }) {
	const move = useMoveRule(site.id);
	const put = (from: number, to: number) => {
		const rule = rules[from];
		if (rule !== undefined && !move.isBusy) move.run({ order: moved(rules, from, to), rule });
	};
	const dragging = useDragging(put);
	return (
		<Items label={t.own}>
			{rules.map((rule, at) => (
				<Row
					key={rule.id}
					site={site}
					rule={rule}
					at={at}
					count={rules.length}
					dragging={dragging}
					onMove={(to) => put(at, to)}
				/>
			))}
		</Items>
	);
}

interface RowProps {
	readonly site: Site;
	readonly rule: Rule;
	readonly at: number;
	readonly count: number;
	readonly dragging: ReturnType<typeof useDragging>;
	readonly onMove: (to: number) => void;
}

function Row({ site, rule, at, count, dragging, onMove }: RowProps) {
	const { change, remove } = useRules(site.id);
	const panel = usePanel();
	const { channel_name: name, is_active: isActive } = rule;
	const said = `${ruleWords(rule)} · ${t.priorityOf(rule.priority)}`;
	const state = isActive ? ({ text: t.live, tone: "good" } as const) : ({ text: t.draft, tone: "warn" } as const);
	if (!may("PATCH /channel-groups/{rule_id}", site.role)) return <Item title={name} facts={said} state={state} />;
	return (
		<Item
			title={name}
			facts={said}
			state={state}
			lead={count > 1 && <Grip {...dragging.grip(at)} />}
			drop={dragging.row(at)}
			actions={
				<>
					{count > 1 && <MoveButtons name={name} at={at} count={count} onMove={onMove} />}
					<RecordActions
						name={name}
						isActive={isActive}
						isBusy={change.isBusy || remove.isBusy}
						pause={t.deactivate}
						resume={t.activate}
						onEdit={() => panel.open("rule", rule.id)}
						onToggle={() => change.run({ row: rule, to: { is_active: !isActive } })}
						onRemove={() => remove.run(rule)}
					/>
				</>
			}
		/>
	);
}

/** Rules in an exported file. */
interface RuleFile {
	readonly version: 1;
	readonly rules: readonly unknown[];
}

/** Reads a file of rules; undefined where it is none. The server looks at the rows. */
function readRuleFile(text: string): RuleFile | undefined {
	try {
		const read = JSON.parse(text) as Partial<RuleFile> | null;
		return read?.version === 1 && Array.isArray(read.rules) ? { version: 1, rules: read.rules } : undefined;
	} catch {
		return undefined;
	}
}

type Scope = "all" | "drafts";
type Report = Extract<Answer<"POST /channel-groups/import">, { would_insert: number }>;

/** Import of rules from a file, with a preview of its effect. */
function ImportDialog({ site, onClose }: { readonly site: Site; readonly onClose: () => void }) {
	const [file, setFile] = useState<RuleFile | null>();
	const [scope, setScope] = useState<Scope>("all");
	const report = useQuery(reportQuery(site.id, file, scope));
	const replace = useImport(site.id);
	const form = useForm(async () => {
		if (!file) return;
		await replace.mutateAsync({ file, scope });
		onClose();
	});
	const choose = async ({ currentTarget: { files } }: ChangeEvent<HTMLInputElement>) =>
		setFile(files?.[0] && (readRuleFile(await files[0].text()) ?? null));
	return (
		<Dialog title={t.importTitle} onClose={onClose}>
			<RecordForm form={form} action={t.import} onCancel={onClose}>
				<Field
					label={t.file}
					hint={t.fileHint}
					type="file"
					accept="application/json,.json"
					required
					error={file === null ? t.noRuleFile : undefined}
					onChange={(event) => void choose(event)}
				/>
				<Select label={t.scope} value={scope} onChange={(event) => setScope(event.target.value as Scope)}>
					<option value="all">{t.scopeAll}</option>
					<option value="drafts">{t.scopeDrafts}</option>
				</Select>
				{file && <Outcome report={report} />}
			</RecordForm>
		</Dialog>
	);
}

const reportQuery = (site: string, file: RuleFile | null | undefined, scope: Scope) => ({
	queryKey: ["POST /channel-groups/import", site, file, scope],
	queryFn: ({ signal }: { signal: AbortSignal }) =>
		call("POST /channel-groups/import", {
			query: { account_id: site, dry_run: true, scope },
			body: file ?? { version: 1, rules: [] },
			signal,
		}) as Promise<Report>,
	enabled: Boolean(file),
	retry: false,
	gcTime: 0,
});

/** Replaces rules; those that were there before come back whole. */
function useImport(site: string) {
	const put = (rules: readonly unknown[], scope: Scope) =>
		call("POST /channel-groups/import", { query: { account_id: site, scope }, body: { version: 1, rules } });
	return useChange({
		run: async ({ file, scope }: { readonly file: RuleFile; readonly scope: Scope }) => {
			const before = await call("GET /channel-groups/export", { query: { account_id: site } });
			await put(file.rules, scope);
			return before;
		},
		stale: ["GET /channel-groups", "POST /channel-groups/test"],
		done: (_, { file }) => t.imported(file.rules.length),
		undo: ({ rules }) => put(rules, "all"),
	});
}

const Outcome = ({ report }: { readonly report: UseQueryResult<Report, Error> }) => (
	<section aria-label={t.report} className={styles.laboratory}>
		<h3>{t.report}</h3>
		<Loaded query={report} skeleton={<p className="intro">{t.counting}</p>}>
			{({ would_insert: added, would_delete: removed, errors }) => (
				<div role="status">
					<p>{t.wouldDo(added, removed)}</p>
					{errors.length > 0 && (
						<>
							<p className="fault">{t.faulty(errors.length)}</p>
							<ul className={styles.faults}>
								{errors.map(({ field, message }) => (
									<li key={field}>
										{rowOf(field)} {message}
									</li>
								))}
							</ul>
						</>
					)}
				</div>
			)}
		</Loaded>
	</section>
);

/** `body.rules.3.source_pattern` is in the fourth row. */
function rowOf(field: string): string {
	const [, at, name] = /^body\.rules\.(\d+)(?:\.(.+))?$/.exec(field) ?? [];
	if (at === undefined) return "";
	return `${t.row(Number(at) + 1)}${name === undefined ? "" : ` (${name})`}:`;
}
