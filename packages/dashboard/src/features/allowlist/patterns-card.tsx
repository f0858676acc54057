import { useQuery } from "@tanstack/react-query";
import { type ChangeEvent, useRef, useState } from "react";
import { type Answer, call } from "../../api/client.ts";
import { download } from "../../lib/download.ts";
import { asFailure } from "../../lib/failure.ts";
import { textOf, useForm } from "../../lib/use-form.ts";
import { Button } from "../../ui/button/button.tsx";
import { Card } from "../../ui/card/card.tsx";
import { ConfirmDialog } from "../../ui/confirm/confirm-dialog.tsx";
import { Dialog } from "../../ui/dialog/dialog.tsx";
import { Area, Field, Select, verbatim } from "../../ui/field/field.tsx";
import { Form, Submit } from "../../ui/form/form.tsx";
import { Item, Items } from "../../ui/items/items.tsx";
import { Loaded } from "../../ui/loaded/loaded.tsx";
import { failureText } from "../../ui/page/failure-text.ts";
import { Pick, PickBar } from "../../ui/pick/pick.tsx";
import { toast } from "../../ui/toast/toast.tsx";
import { usePlanHas } from "../settings/index.ts";
import { useSite } from "../site/index.ts";
import styles from "./allowlist.module.css";
import { t } from "./texts.ts";
import { type Pattern, type PatternInput, patternsQuery, useManyPatterns, usePatterns } from "./use-allowlist.ts";

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
				<div className="row">
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
			<div className="stack-16">
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
		<Form form={form} ref={element} className="stack-16">
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

type Fault = Answer<"POST /ip-allowlist/import">["errors"][number];

/** Many addresses as lines of text, typed, pasted or from a file. Errors are shown by line. */
function ManyForm({ onDone }: { readonly onDone: () => void }) {
	const site = useSite();
	const lines = useRef<HTMLFormElement>(null);
	const [faults, setFaults] = useState<readonly Fault[]>([]);
	const { add } = useManyPatterns(site.id);
	const form = useForm(async (values) => {
		const input = { text: textOf(values, "text"), prefix: textOf(values, "label_prefix").trim() };
		const { errors } = await add.mutateAsync(input);
		setFaults(errors);
		if (errors.length === 0) onDone();
	});
	const read = async ({ target }: ChangeEvent<HTMLInputElement>) => {
		const field = lines.current?.elements.namedItem("text");
		const [file] = target.files ?? [];
		if (file !== undefined && field instanceof HTMLTextAreaElement) field.value = await file.text();
	};
	return (
		<Form form={form} ref={lines} className="stack-16">
			<Area
				label={t.lines}
				hint={t.manyHint}
				name="text"
				rows={8}
				required
				maxLength={50_000}
				autoFocus
				spellCheck={false}
			/>
			<Field label={t.file} type="file" accept=".txt,.csv,text/plain" onChange={(event) => void read(event)} />
			<Field label={t.prefix} name="label_prefix" maxLength={50} autoComplete="off" />
			{faults.length > 0 && (
				<div role="alert" className={styles.faults}>
					<p>{t.faults(faults.length)}</p>
					<ul>
						{faults.map(({ index, message }) => (
							<li key={index}>{t.line(index + 1, message)}</li>
						))}
					</ul>
				</div>
			)}
			<div className="row">
				<Submit>{t.import}</Submit>
				{faults.length > 0 && <Button onClick={onDone}>{t.close}</Button>}
			</div>
		</Form>
	);
}

/** As many as one request removes. */
const mostAtOnce = 100;

/** The list, of which some can be chosen and deleted together. */
function PatternList({ patterns }: { readonly patterns: readonly Pattern[] }) {
	const site = useSite();
	const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
	const [isAsking, setAsking] = useState(false);
	const { remove } = useManyPatterns(site.id);
	const picked = patterns.filter(({ id }) => chosen.has(id)).slice(0, mostAtOnce);
	const toggle = (id: number, isOn: boolean) =>
		setChosen((before) => new Set(isOn ? [...before, id] : [...before].filter((one) => one !== id)));
	return (
		<div>
			<PickBar>
				<Pick
					checked={chosen.size > 0 && patterns.every(({ id }) => chosen.has(id))}
					onPick={(isOn) => setChosen(new Set(isOn ? patterns.map(({ id }) => id) : []))}
				>
					{t.chooseAll}
				</Pick>
				<Button small look="danger" disabled={picked.length === 0} onClick={() => setAsking(true)}>
					{picked.length === 0 ? t.remove : t.removeSome(picked.length)}
				</Button>
			</PickBar>
			<Items label={t.list}>
				{patterns.map((pattern) => (
					<PatternRow
						key={pattern.id}
						pattern={pattern}
						isChosen={chosen.has(pattern.id)}
						onChoose={(isOn) => toggle(pattern.id, isOn)}
					/>
				))}
			</Items>
			{isAsking && (
				<ConfirmDialog
					title={t.removeTitle(picked.length)}
					goes={[t.removeGoes(picked.length)]}
					stays={[t.removeStays]}
					action={t.removeSome(picked.length)}
					onConfirm={async () => {
						await remove.mutateAsync(picked.map(({ id }) => id));
						setChosen(new Set());
					}}
					onClose={() => setAsking(false)}
				/>
			)}
		</div>
	);
}

interface PatternRowProps {
	readonly pattern: Pattern;
	readonly isChosen: boolean;
	readonly onChoose: (isChosen: boolean) => void;
}

function PatternRow({ pattern, isChosen, onChoose }: PatternRowProps) {
	const site = useSite();
	const { turn, remove } = usePatterns(site.id);
	const isInPlan = usePlanHas("ip_allowlist");
	const isBusy = turn.isBusy || remove.isBusy;
	return (
		<Item
			title={
				<Pick name={t.choose(pattern.pattern)} checked={isChosen} onPick={onChoose}>
					<code className={styles.pattern}>{pattern.pattern}</code>
				</Pick>
			}
			state={pattern.is_active ? undefined : { text: t.off, tone: "muted" }}
			facts={[t.types[pattern.pattern_type], pattern.label, pattern.description].filter(Boolean).join(" · ")}
			actions={
				<>
					{isInPlan && (
						<Button small disabled={isBusy} onClick={() => turn.run(pattern)}>
							{pattern.is_active ? t.turnOff : t.turnOn}
						</Button>
					)}
					<Button small disabled={isBusy} onClick={() => remove.run(pattern)}>
						{t.remove}
					</Button>
				</>
			}
		/>
	);
}
