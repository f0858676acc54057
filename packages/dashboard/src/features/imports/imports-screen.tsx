import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type ChangeEvent, type FormEvent, useEffect, useRef, useState } from "react";
import { may } from "../../api/may.ts";
import { bytes } from "../../lib/bytes.ts";
import { asFailure } from "../../lib/failure.ts";
import { ago, days, percent } from "../../lib/format.ts";
import { textOf, useForm } from "../../lib/use-form.ts";
import { Button } from "../../ui/button/button.tsx";
import { Card } from "../../ui/card/card.tsx";
import { Check, Field, Select, verbatim } from "../../ui/field/field.tsx";
import { Options } from "../../ui/field/options.tsx";
import { Form, Submit } from "../../ui/form/form.tsx";
import { Item } from "../../ui/items/items.tsx";
import { LoadedItems } from "../../ui/items/loaded-items.tsx";
import { ScreenHead, useSite } from "../site/index.ts";
import { ImportRow } from "./import-row.tsx";
import styles from "./imports.module.css";
import { type Look, lookAt, type Source, sources } from "./look-at-file.ts";
import { t as words } from "./migration-texts.ts";
import {
	configQuery,
	type Import,
	importsQuery,
	isUnfinished,
	type Job,
	jobsQuery,
	progressQuery,
	useImports,
	useMigration,
} from "./queries.ts";
import { t } from "./texts.ts";

/** Imports from other tools, and the migration from an older service where one is configured. */
export function ImportsScreen() {
	const site = useSite();
	const mayImport = may("POST /imports", site.role);
	const { data: config } = useQuery(configQuery);
	return (
		<div className={styles.screen}>
			<ScreenHead title={t.title} />
			<p className={styles.intro}>{t.intro}</p>
			{mayImport && <NewImport />}
			<ImportsCard />
			{mayImport && config?.features.includes("migration") && <MigrationCard />}
		</div>
	);
}

/** Imports of a site. */
function ImportsCard() {
	const site = useSite();
	const query = useQuery(importsQuery(site.id));
	useFreshReports(query.data?.imports);
	const mayImport = may("POST /imports", site.role);
	return (
		<Card title={t.list}>
			<LoadedItems
				label={t.list}
				query={query}
				of={({ imports }) => imports}
				empty={<p>{mayImport ? t.none : t.noneForReaders}</p>}
			>
				{(one) => <ImportRow key={one.import_id} one={one} />}
			</LoadedItems>
		</Card>
	);
}

/** When rows have come or gone, no figure is what it was. */
function useFreshReports(imports: readonly Import[] | undefined): void {
	const queries = useQueryClient();
	const state = imports?.filter(({ status }) => status === "completed").map(({ import_id }) => import_id);
	const now = state?.join(" ");
	const before = useRef(now);
	// The answers that are kept are outside of React.
	useEffect(() => {
		if (now !== undefined && before.current !== undefined && now !== before.current) {
			void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== "GET /imports" });
		}
		before.current = now;
	}, [now, queries]);
}

const kinds = ["conversions", "microconversions", "pageviews"] as const;

/** Figures of an older service: its login, and which days. Admins of the organization see it. */
function MigrationCard() {
	const site = useSite();
	const query = useQuery(jobsQuery(site.id));
	const isRefused = query.error !== null && asFailure(query.error).status === 403;
	if (isRefused) {
		return (
			<Card title={words.title}>
				<p>{words.needsAdmin}</p>
			</Card>
		);
	}
	return (
		<Card title={words.title}>
			<p className={styles.hint}>{words.intro}</p>
			<MigrationForm />
			<LoadedItems label={words.jobs} query={query} of={({ jobs }) => jobs} empty={<p>{words.none}</p>}>
				{(job) => <JobRow key={job.id} job={job} />}
			</LoadedItems>
		</Card>
	);
}

function MigrationForm() {
	const site = useSite();
	const { test, start } = useMigration(site.id);
	const [said, setSaid] = useState<string>();
	const form = useForm(async (values) => {
		await start.mutateAsync({
			email: textOf(values, "v1_email"),
			password: textOf(values, "v1_password"),
			account: textOf(values, "v1_account_id"),
			from: textOf(values, "date_from"),
			to: textOf(values, "date_to"),
			kinds: kinds.filter((kind) => values.has(`migrate_${kind}`)),
		});
		setSaid(undefined);
	});
	const attempt = async (event: FormEvent<HTMLButtonElement>) => {
		const element = event.currentTarget.form;
		if (element === null) return;
		const values = new FormData(element);
		const login = { email: textOf(values, "v1_email"), password: textOf(values, "v1_password") };
		setSaid(words.testing);
		try {
			const answer = await test.mutateAsync({ ...login, account_id: textOf(values, "v1_account_id") });
			setSaid(answer.valid ? words.valid(answer.account_name ?? "") : (answer.error ?? words.invalid));
		} catch (error) {
			setSaid(asFailure(error).message);
		}
	};
	return (
		<Form form={form} className={styles.form}>
			<LoginFields />
			<fieldset className={styles.kinds}>
				<legend>{words.what}</legend>
				{kinds.map((kind) => (
					<Check key={kind} label={words.kinds[kind]} name={`migrate_${kind}`} defaultChecked={kind !== "pageviews"} />
				))}
			</fieldset>
			<div className={styles.submit}>
				<Button onClick={(event) => void attempt(event)} disabled={test.isBusy}>
					{words.test}
				</Button>
				<Submit>{words.start}</Submit>
				<p className={styles.hint} role="status">
					{said}
				</p>
			</div>
		</Form>
	);
}

const LoginFields = () => (
	<div className={styles.fields}>
		<Field label={words.email} name="v1_email" type="email" required minLength={5} maxLength={255} autoComplete="off" />
		<Field
			label={words.password}
			name="v1_password"
			type="password"
			required
			autoComplete="off"
			hint={words.passwordHint}
		/>
		<Field label={words.account} name="v1_account_id" required maxLength={64} pattern="[A-Za-z0-9_\-]+" {...verbatim} />
		<Field label={t.from} name="date_from" type="date" required />
		<Field label={t.to} name="date_to" type="date" required />
	</div>
);

const tones = { pending: "muted", running: "muted", completed: "good", failed: "bad", cancelled: "muted" } as const;

function JobRow({ job }: { readonly job: Job }) {
	const site = useSite();
	const { cancel } = useMigration(site.id);
	const isOpen = isUnfinished(job);
	const { data } = useQuery({ ...progressQuery(job.id), enabled: isOpen || job.status === "failed" });
	return (
		<Item
			title={words.job(job.v1_account_id, days(job.date_from, job.date_to))}
			state={{ text: words.states[job.status], tone: tones[job.status] }}
			facts={t.handedIn(ago(job.created_at))}
			actions={
				isOpen && (
					<Button small look="danger" disabled={cancel.isBusy} onClick={() => cancel.run(job)}>
						{t.cancel}
					</Button>
				)
			}
		>
			{isOpen && (
				<div className={styles.progress}>
					<progress aria-label={words.title} max={100} value={job.progress} />
					<span>{t.progress(words.states[job.status], percent(job.progress))}</span>
				</div>
			)}
			{data?.error_message && <p className={styles.fault}>{data.error_message}</p>}
		</Item>
	);
}

/** The names of ours that a column of a file may be given, as the API takes them. */
const ourColumns = [
	"date",
	"hour",
	"entrances",
	"engaged",
	"page_views",
	"conversions",
	"microconversions",
	"revenue",
	"visit_seconds",
	"visitors",
	"path",
	"content_group",
	"landing_path",
	"landing_group",
	"referrer",
	"utm_source",
	"utm_medium",
	"utm_campaign",
	"utm_term",
	"utm_content",
	"country",
	"device",
	"browser",
	"os",
	"event_type",
	"ignore",
] as const;

const columnField = (column: string) => `column ${column}`;

/** Form of an import: format and dates. The file is read first and counted after a confirmation. */
function NewImport() {
	const site = useSite();
	const most = useQuery(configQuery).data?.limits.max_import_bytes;
	const { create } = useImports(site.id);
	const [source, setSource] = useState<Source>("ga4_csv");
	const [look, setLook] = useState<Look>();
	const [key, setKey] = useState(0);
	const form = useForm(async (values) => {
		await create.mutateAsync(formOf(values, look?.columns ?? []));
		setLook(undefined);
		// A new form: a field with a file cannot be emptied otherwise.
		setKey(key + 1);
	});
	const chosen = async (event: ChangeEvent<HTMLInputElement>) => {
		const [file] = event.target.files ?? [];
		if (file === undefined) return setLook(undefined);
		const seen = await lookAt(file);
		setLook(seen);
		setSource(seen.source);
	};
	return (
		<Card title={t.fresh}>
			<Form key={key} form={form} className={styles.form}>
				<div className={styles.fields}>
					<Field
						label={t.file}
						name="file"
						type="file"
						required
						hint={most === undefined ? t.fileHint : t.fileMost(bytes(most))}
						onChange={(event) => void chosen(event)}
					/>
					<Select
						label={t.source}
						name="source"
						hint={look === undefined ? t.sourceHint : t.guessed}
						value={source}
						onChange={(event) => setSource(event.target.value as Source)}
					>
						<Options of={sources} text={(one) => t.sources[one]} />
					</Select>
				</div>
				<Choices timezone={site.timezone} />
				{(source === "ga4_csv" || source === "matomo_csv") && look !== undefined && look.columns.length > 0 && (
					<Columns columns={look.columns} error={form.errorOf("column_map")} />
				)}
				<div className={styles.submit}>
					<Submit>{form.isBusy ? t.sending : t.look}</Submit>
					<p className={styles.hint}>{t.lookHint}</p>
				</div>
			</Form>
		</Card>
	);
}

/** The form as the API takes it: empty fields stay away, and columns that were named become one field. */
function formOf(values: FormData, columns: readonly string[]): FormData {
	const body = new FormData();
	for (const name of ["source", "timezone", "date_from", "date_to"]) {
		const value = textOf(values, name).trim();
		if (value !== "") body.set(name, value);
	}
	const named = columns
		.map((column) => [column, textOf(values, columnField(column))] as const)
		.filter(([, ours]) => ours !== "");
	if (named.length > 0) body.set("column_map", JSON.stringify(Object.fromEntries(named)));
	const file = values.get("file");
	// Must be the last field, as the server reads the form in order and needs all other fields before the file.
	if (file instanceof File) body.set("file", file, file.name);
	return body;
}

const Choices = ({ timezone }: { readonly timezone: string }) => (
	<div className={styles.fields}>
		<Field label={t.from} name="date_from" type="date" hint={t.rangeHint} />
		<Field label={t.to} name="date_to" type="date" />
		<Field label={t.zone} name="timezone" placeholder={timezone} hint={t.zoneHint} {...verbatim} />
	</div>
);

/** Meaning of columns with unknown names. */
const Columns = ({ columns, error }: { readonly columns: readonly string[]; readonly error: string | undefined }) => (
	<details className={styles.part} open={error !== undefined}>
		<summary>{t.columns}</summary>
		<p className={styles.hint}>{t.columnsHint}</p>
		{error && <p className={styles.fault}>{error}</p>}
		<div className={styles.fields}>
			{columns.map((column) => (
				<Select key={column} label={column} name={columnField(column)}>
					<option value="">{t.byName}</option>
					<Options of={ourColumns} text={(ours) => t.ours[ours]} />
				</Select>
			))}
		</div>
	</details>
);
