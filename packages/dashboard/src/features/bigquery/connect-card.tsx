import { useState } from "react";
import { todayIn } from "../../lib/days.ts";
import { textOf, useForm } from "../../lib/use-form.ts";
import { Button } from "../../ui/button/button.tsx";
import { Card } from "../../ui/card/card.tsx";
import { Field, Select } from "../../ui/field/field.tsx";
import { Problem } from "../../ui/page/form-page.tsx";
import { useSite } from "../site/index.ts";
import styles from "./bigquery.module.css";
import { FrequencyChoice, frequencyOf, TypeChoice, typesOf } from "./choices.tsx";
import { KeyField } from "./key-field.tsx";
import type { KeyFile } from "./key-file.ts";
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
			<form className={styles.form} onSubmit={form.onSubmit}>
				<p className={styles.intro}>
					{t.steps} <code>roles/bigquery.jobUser</code> {t.stepsAnd} <code>roles/bigquery.dataEditor</code>.{" "}
					{t.stepsEnd}
				</p>
				<Problem failure={form.failure} />
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
						autoComplete="off"
						autoCapitalize="none"
						spellCheck={false}
						value={project}
						onChange={(event) => setProject(event.target.value)}
						error={form.errorOf("gcp_project_id")}
					/>
					<Field
						label={t.dataset}
						hint={t.datasetHint}
						name="dataset_id"
						required
						pattern="[A-Za-z0-9_]+"
						maxLength={1024}
						autoComplete="off"
						autoCapitalize="none"
						spellCheck={false}
						defaultValue="footfall"
						error={form.errorOf("dataset_id")}
					/>
					<Select label={t.location} name="location" defaultValue="EU" error={form.errorOf("location")}>
						{locations.map((location) => (
							<option key={location} value={location}>
								{location}
							</option>
						))}
					</Select>
				</div>
				<TypeChoice error={missing === "types" ? t.chooseOne : form.errorOf("data_types")} />
				<Beginning errorOf={form.errorOf} today={todayIn(site.timezone)} />
				<div className={styles.actions}>
					<Button type="submit" look="primary" disabled={form.isBusy}>
						{form.isBusy ? t.connecting : t.connect}
					</Button>
				</div>
			</form>
		</Card>
	);
}

interface BeginningProps {
	readonly errorOf: (field: string) => string | undefined;
	readonly today: string;
}

/** How often, and the days with which it begins. */
const Beginning = ({ errorOf, today }: BeginningProps) => (
	<>
		<div className={styles.fields}>
			<FrequencyChoice />
			<Field
				label={t.backfillDays}
				name="backfill_days"
				type="number"
				min={0}
				max={365}
				required
				defaultValue={30}
				error={errorOf("backfill_days")}
			/>
		</div>
		<details className={styles.part}>
			<summary>{t.exactly}</summary>
			<div className={styles.fields}>
				<Field label={t.from} name="initial_date_from" type="date" max={today} error={errorOf("initial_date_from")} />
				<Field label={t.to} name="initial_date_to" type="date" max={today} error={errorOf("initial_date_to")} />
			</div>
		</details>
	</>
);
