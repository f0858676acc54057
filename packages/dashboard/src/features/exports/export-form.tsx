import { type FormEvent, useRef, useState } from "react";
import { todayIn } from "../../lib/days.ts";
import { useForm } from "../../lib/use-form.ts";
import { useRested } from "../../lib/use-rested.ts";
import { Button } from "../../ui/button/button.tsx";
import { Card } from "../../ui/card/card.tsx";
import { Field, Select } from "../../ui/field/field.tsx";
import { Problem } from "../../ui/page/form-page.tsx";
import { type Days, daysOf, useSite, useSiteSearch } from "../site/index.ts";
import { Estimate } from "./estimate.tsx";
import { type ExportInput, exportFormats, exportTypes, inputOf } from "./export-input.ts";
import styles from "./exports.module.css";
import { saveNow, useExports } from "./queries.ts";
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
			<form className={styles.form} onInput={read} onSubmit={form.onSubmit}>
				<Problem failure={form.failure} />
				<MainFields days={days} errorOf={form.errorOf} />
				<FilterFields filters={search.f} errorOf={form.errorOf} />
				<Estimate input={rested}>
					{(isSmall) => (
						<>
							{isSmall && (
								<Button type="submit" look="primary" disabled={form.isBusy} onClick={() => choose(true)}>
									{t.save}
								</Button>
							)}
							<Button
								type="submit"
								look={isSmall ? "plain" : "primary"}
								disabled={form.isBusy}
								onClick={() => choose(false)}
							>
								{t.make}
							</Button>
						</>
					)}
				</Estimate>
			</form>
		</Card>
	);
}

interface Faults {
	readonly errorOf: (field: string) => string | undefined;
}

function MainFields({ days, errorOf }: Faults & { readonly days: Days }) {
	return (
		<div className={styles.fields}>
			<Select label={t.what} name="export_type" error={errorOf("export_type")}>
				{exportTypes.map((type) => (
					<option key={type} value={type}>
						{t.types[type]}
					</option>
				))}
			</Select>
			<Select label={t.format} name="format" error={errorOf("format")}>
				{exportFormats.map((format) => (
					<option key={format} value={format}>
						{t.formats[format]}
					</option>
				))}
			</Select>
			<Field
				label={t.from}
				name="date_from"
				type="date"
				required
				defaultValue={days.from}
				error={errorOf("date_from")}
			/>
			<Field label={t.to} name="date_to" type="date" required defaultValue={days.to} error={errorOf("date_to")} />
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
					{devices.map((device) => (
						<option key={device} value={device}>
							{t.devices[device]}
						</option>
					))}
				</Select>
			</div>
			<Field
				label={t.fields.advanced_filters}
				hint={t.advancedHint}
				name="advanced_filters"
				maxLength={1000}
				autoComplete="off"
				autoCapitalize="none"
				spellCheck={false}
				defaultValue={filters.join(",")}
				error={errorOf("filters.advanced_filters")}
			/>
		</details>
	);
}
