import { type ChangeEvent, type DragEvent, useState } from "react";
import { classes } from "../../lib/classes.ts";
import { todayIn } from "../../lib/days.ts";
import { textOf, useForm } from "../../lib/use-form.ts";
import { Card } from "../../ui/card/card.tsx";
import { Area, Field, Select, verbatim } from "../../ui/field/field.tsx";
import { Options } from "../../ui/field/options.tsx";
import { Form, Submit } from "../../ui/form/form.tsx";
import { useSite } from "../site/index.ts";
import styles from "./bigquery.module.css";
import { FrequencyChoice, frequencyOf, TypeChoice, typesOf } from "./choices.tsx";
import { type KeyFile, readKey } from "./key-file.ts";
import { type ConnectInput, locations, useBigQuery } from "./queries.ts";
import { t } from "./texts.ts";

function inputOf(key: KeyFile, values: FormData): ConnectInput {
	const [from, to] = [textOf(values, "initial_date_from"), textOf(values, "initial_date_to")];
	return {
		service_account: key.content,
		gcp_project_id: textOf(values, "gcp_project_id").trim(),
		dataset_id: textOf(values, "dataset_id").trim(),
		location: locations.find((one) => one === values.get("location")) ?? "EU",
		sync_frequency: frequencyOf(values),
		data_types: typesOf(values),
		backfill_days: Number(textOf(values, "backfill_days")),
		initial_date_from: from || null,
		initial_date_to: to || null,
	};
}

/** Connects the site. The key is nowhere but in this form, and not in its draft. */
export function ConnectCard() {
	const site = useSite();
	const { connect } = useBigQuery(site.id);
	const [key, setKey] = useState<KeyFile | null>();
	const [project, setProject] = useState("");
	const [missing, setMissing] = useState<"key" | "types">();
	const form = useForm(async (values) => {
		const lacks = !key ? "key" : typesOf(values).length === 0 ? "types" : undefined;
		setMissing(lacks);
		if (key && lacks === undefined) await connect.mutateAsync(inputOf(key, values));
	});
	const read = (given: KeyFile | null) => {
		setKey(given);
		setMissing(undefined);
		if (given !== null) setProject(given.project);
	};
	return (
		<Card title={t.connectTitle}>
			<Form
				form={form}
				className="column-16"
				intro={
					<p className={styles.intro}>
						{t.steps} <code>roles/bigquery.jobUser</code> {t.stepsAnd} <code>roles/bigquery.dataEditor</code>.{" "}
						{t.stepsEnd}
					</p>
				}
			>
				<KeyField
					value={key}
					onRead={read}
					error={missing === "key" ? t.keyMissing : form.errorOf("service_account")}
				/>
				<div className={styles.fields}>
					<Field
						label={t.project}
						hint={t.projectHint}
						name="gcp_project_id"
						required
						pattern="[a-z][a-z0-9\-]{4,28}[a-z0-9]"
						{...verbatim}
						value={project}
						onChange={(event) => setProject(event.target.value)}
					/>
					<Field
						label={t.dataset}
						hint={t.datasetHint}
						name="dataset_id"
						required
						pattern="[A-Za-z0-9_]+"
						maxLength={1024}
						{...verbatim}
						defaultValue="footfall"
					/>
					<Select label={t.location} name="location" defaultValue="EU">
						<Options of={locations} />
					</Select>
				</div>
				<TypeChoice error={missing === "types" ? t.chooseOne : form.errorOf("data_types")} />
				<Beginning today={todayIn(site.timezone)} />
				<div className="row-centered">
					<Submit>{form.isBusy ? t.connecting : t.connect}</Submit>
				</div>
			</Form>
		</Card>
	);
}

/** How often, and the days with which it begins. */
const Beginning = ({ today }: { readonly today: string }) => (
	<>
		<div className={styles.fields}>
			<FrequencyChoice />
			<Field label={t.backfillDays} name="backfill_days" type="number" min={0} max={365} required defaultValue={30} />
		</div>
		<details className={styles.part}>
			<summary>{t.exactly}</summary>
			<div className={styles.fields}>
				<Field label={t.from} name="initial_date_from" type="date" max={today} />
				<Field label={t.to} name="initial_date_to" type="date" max={today} />
			</div>
		</details>
	</>
);

/** No key is longer. */
const maxBytes = 100_000;

interface KeyFieldProps {
	/** Content of the chosen file; null for a file that is no key. */
	readonly value: KeyFile | null | undefined;
	readonly onRead: (key: KeyFile | null) => void;
	/** Error of the server for this field. */
	readonly error: string | undefined;
}

/** Takes the key of a service account: a file that is chosen or dropped, or its content pasted. */
function KeyField({ value, onRead, error }: KeyFieldProps) {
	const [isOver, setOver] = useState(false);
	const take = async (file: File | undefined) => {
		if (file === undefined) return;
		onRead(file.size > maxBytes ? null : (readKey(await file.text()) ?? null));
	};
	const drop = (event: DragEvent<HTMLElement>) => {
		event.preventDefault();
		setOver(false);
		void take(event.dataTransfer.files[0]);
	};
	const choose = ({ currentTarget: { files } }: ChangeEvent<HTMLInputElement>) => void take(files?.[0]);
	const paste = ({ currentTarget: { value: text } }: ChangeEvent<HTMLTextAreaElement>) => {
		if (text.trim() !== "") onRead(readKey(text) ?? null);
	};
	return (
		<section
			aria-label={t.keyFile}
			className={classes(styles.key, isOver && styles.over)}
			onDragOver={(event) => {
				event.preventDefault();
				setOver(true);
			}}
			onDragLeave={() => setOver(false)}
			onDrop={drop}
		>
			<Field
				label={t.keyFile}
				hint={t.keyDrop}
				type="file"
				accept="application/json,.json"
				error={value === null ? t.keyFault : error}
				onChange={choose}
			/>
			{value && (
				<p role="status" className={styles.muted}>
					{t.keyRead(value.email)}
				</p>
			)}
			<details className={styles.part}>
				<summary>{t.keyPaste}</summary>
				<div>
					<Area label={t.keyPaste} rows={5} autoComplete="off" spellCheck={false} onChange={paste} />
				</div>
			</details>
		</section>
	);
}
