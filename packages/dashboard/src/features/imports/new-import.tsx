import { useQuery } from "@tanstack/react-query";
import { type ChangeEvent, useState } from "react";
import { bytes } from "../../lib/bytes.ts";
import { textOf, useForm } from "../../lib/use-form.ts";
import { Card } from "../../ui/card/card.tsx";
import { Field, Select, verbatim } from "../../ui/field/field.tsx";
import { Options } from "../../ui/field/options.tsx";
import { Form, Submit } from "../../ui/form/form.tsx";
import { useSite } from "../site/index.ts";
import styles from "./imports.module.css";
import { type Look, lookAt, type Source, sources } from "./look-at-file.ts";
import { configQuery, useImports } from "./queries.ts";
import { t } from "./texts.ts";

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
export function NewImport() {
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
