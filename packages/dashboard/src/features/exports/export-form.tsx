import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useRef, useState } from "react";
import type { Answer } from "../../api/client.ts";
import { todayIn } from "../../lib/days.ts";
import { count, exact } from "../../lib/format.ts";
import { useForm } from "../../lib/use-form.ts";
import { useRested } from "../../lib/use-rested.ts";
import { Card } from "../../ui/card/card.tsx";
import { Field, Select, verbatim } from "../../ui/field/field.tsx";
import { Options } from "../../ui/field/options.tsx";
import { Form, Submit } from "../../ui/form/form.tsx";
import { Loaded } from "../../ui/loaded/loaded.tsx";
import { type Days, daysOf, useSite, useSiteSearch } from "../site/index.ts";
import { type ExportInput, exportFormats, exportTypes, inputOf } from "./export-input.ts";
import styles from "./exports.module.css";
import { estimateQuery, saveNow, useExports } from "./queries.ts";
import { t } from "./texts.ts";

/** While one types, nothing is counted. */
const restMs = 400;

/** Form of an export, with an estimate. Period and filters start as those of the report. */
export function ExportForm() {
	const site = useSite();
	const search = useSiteSearch();
	const days = daysOf(search, todayIn(site.timezone));
	const [input, setInput] = useState<ExportInput>({
		export_type: "pages",
		format: "csv",
		date_from: days.from,
		date_to: days.to,
		...(search.f.length > 0 && { filters: { advanced_filters: search.f.join(",") } }),
	});
	const rested = useRested(input, restMs);
	const { create } = useExports(site.id);
	// Which way the file comes: the button says it that is pressed.
	const isSavedNow = useRef(false);
	const form = useForm(async (values) => {
		const asked = inputOf(values);
		await (isSavedNow.current ? saveNow(site.id, asked) : create.mutateAsync(asked));
	});
	const choose = (isNow: boolean) => {
		isSavedNow.current = isNow;
	};
	const read = (event: FormEvent<HTMLFormElement>) => setInput(inputOf(new FormData(event.currentTarget)));
	return (
		<Card title={t.fresh}>
			<Form form={form} className={styles.form} onInput={read}>
				<MainFields days={days} />
				<FilterFields filters={search.f} errorOf={form.errorOf} />
				<Estimate input={rested}>
					{(isSmall) => (
						<>
							{isSmall && <Submit onClick={() => choose(true)}>{t.save}</Submit>}
							<Submit look={isSmall ? "plain" : "primary"} onClick={() => choose(false)}>
								{t.make}
							</Submit>
						</>
					)}
				</Estimate>
			</Form>
		</Card>
	);
}

interface Faults {
	readonly errorOf: (field: string) => string | undefined;
}

function MainFields({ days }: { readonly days: Days }) {
	return (
		<div className={styles.fields}>
			<Select label={t.what} name="export_type">
				<Options of={exportTypes} text={(type) => t.types[type]} />
			</Select>
			<Select label={t.format} name="format">
				<Options of={exportFormats} text={(format) => t.formats[format]} />
			</Select>
			<Field label={t.from} name="date_from" type="date" required defaultValue={days.from} />
			<Field label={t.to} name="date_to" type="date" required defaultValue={days.to} />
		</div>
	);
}

const texts = ["utm_source", "utm_medium", "utm_campaign"] as const;
const devices = ["desktop", "mobile", "tablet", "unknown"] as const;

function FilterFields({ filters, errorOf }: Faults & { readonly filters: readonly string[] }) {
	return (
		<details className={styles.part} open={filters.length > 0}>
			<summary>{t.part}</summary>
			<div className={styles.fields}>
				{texts.map((name) => (
					<Field
						key={name}
						label={t.fields[name]}
						name={name}
						maxLength={255}
						autoComplete="off"
						error={errorOf(`filters.${name}`)}
					/>
				))}
				<Field
					label={t.fields.country}
					name="country"
					maxLength={50}
					autoComplete="off"
					autoCapitalize="characters"
					error={errorOf("filters.country")}
				/>
				<Select label={t.fields.device_type} name="device_type" error={errorOf("filters.device_type")}>
					<option value="">{t.anyDevice}</option>
					<Options of={devices} text={(device) => t.devices[device]} />
				</Select>
			</div>
			<Field
				label={t.fields.advanced_filters}
				hint={t.advancedHint}
				name="advanced_filters"
				maxLength={1000}
				{...verbatim}
				defaultValue={filters.join(",")}
				error={errorOf("filters.advanced_filters")}
			/>
		</details>
	);
}

interface EstimateProps {
	readonly input: ExportInput;
	/** The ways to get the file; a small one can be had at once. */
	readonly children: (isSmall: boolean) => ReactNode;
}

/** Estimated size of the file, and the ways to get it. */
function Estimate({ input, children }: EstimateProps) {
	const site = useSite();
	const isWhole = input.date_from !== "" && input.date_to !== "";
	const isInOrder = input.date_from <= input.date_to;
	const query = useQuery({
		...estimateQuery(site.id, isWhole && isInOrder ? input : undefined),
		placeholderData: keepPreviousData,
	});
	if (isWhole && !isInOrder) return <p className={styles.fault}>{t.wrongDays}</p>;
	return (
		<div className={styles.estimate}>
			<Loaded query={query} skeleton={<p className={styles.words}>{t.counting}</p>}>
				{(estimate) => (
					<>
						<p className={styles.words} role="status">
							{wordsOf(estimate)}
						</p>
						{estimate.estimated_rows > 0 && (
							<div className={styles.actions}>{children(!estimate.will_use_background_job)}</div>
						)}
					</>
				)}
			</Loaded>
		</div>
	);
}

function wordsOf(estimate: Answer<"POST /exports/estimate">): string {
	const rows = estimate.estimated_rows;
	if (rows === 0) return t.nothing;
	const said = t.rows(rows, count(rows), estimate.estimated_size_human);
	const way = estimate.will_use_background_job
		? t.large(exact(estimate.estimated_duration_seconds, "duration"))
		: t.small;
	return `${said} ${way}`;
}
