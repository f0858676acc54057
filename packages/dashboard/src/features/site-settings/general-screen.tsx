import { may } from "../../api/may.ts";
import { textOf, useForm } from "../../lib/use-form.ts";
import { Button } from "../../ui/button/button.tsx";
import { Card } from "../../ui/card/card.tsx";
import { Field, Select } from "../../ui/field/field.tsx";
import { Problem } from "../../ui/page/form-page.tsx";
import { ScreenHead, type Site, useSite } from "../site/index.ts";
import { atItsField, currencies, ZoneField } from "../sites/index.ts";
import styles from "./site-settings.module.css";
import { StateCard } from "./state-card.tsx";
import { t } from "./texts.ts";
import { useSiteChange } from "./use-site-change.ts";

/** Name, time zone, currency, tracking and deletion of the site. */
export function GeneralScreen() {
	const site = useSite();
	const mayWrite = may("PATCH /sites/{id}", site.role);
	return (
		<div className={styles.screen}>
			<ScreenHead title={t.general} />
			<div className={styles.cards}>
				<Card title={t.settings}>
					{mayWrite ? <Settings key={site.updated_at} site={site} /> : <Facts site={site} />}
				</Card>
				<StateCard site={site} />
			</div>
		</div>
	);
}

const Facts = ({ site }: { readonly site: Site }) => (
	<dl className={styles.facts}>
		{[
			[t.name, site.name],
			[t.id, site.id],
			[t.timezone, site.timezone],
			[t.currency, site.currency],
			[t.threshold, site.bot_threshold],
		].map(([name, value]) => (
			<Fact key={name} name={String(name)} value={String(value)} />
		))}
	</dl>
);

const Fact = ({ name, value }: { readonly name: string; readonly value: string }) => (
	<>
		<dt>{name}</dt>
		<dd>{value}</dd>
	</>
);

function Settings({ site }: { readonly site: Site }) {
	const { mutateAsync: change } = useSiteChange(site, () => t.saved);
	const form = useForm(
		async (values) => {
			const typed = {
				name: textOf(values, "name"),
				timezone: textOf(values, "timezone"),
				currency: textOf(values, "currency"),
				bot_threshold: Number(textOf(values, "bot_threshold")),
			};
			const changed = Object.entries(typed).filter(([field, value]) => site[field as keyof typeof typed] !== value);
			if (changed.length > 0) await change(Object.fromEntries(changed)).catch(atItsField);
		},
		{ draft: `site ${site.id}` },
	);
	return (
		<form className={styles.form} {...form.keeping}>
			<Problem failure={form.failure} />
			<Field
				label={t.name}
				name="name"
				defaultValue={site.name}
				maxLength={255}
				required
				error={form.errorOf("name")}
				hint={`${t.id}: ${site.id}. ${t.idHint}`}
			/>
			<div className={styles.pair}>
				<ZoneField
					label={t.timezone}
					hint={t.timezoneHint}
					defaultValue={site.timezone}
					error={form.errorOf("timezone")}
				/>
				<Select
					label={t.currency}
					name="currency"
					defaultValue={site.currency}
					hint={t.currencyHint}
					error={form.errorOf("currency")}
				>
					{[...new Set([site.currency, ...currencies])].sort().map((code) => (
						<option key={code}>{code}</option>
					))}
				</Select>
			</div>
			<Field
				label={t.threshold}
				name="bot_threshold"
				type="number"
				min={1}
				max={100}
				step={1}
				required
				defaultValue={site.bot_threshold}
				hint={t.thresholdHint}
				error={form.errorOf("bot_threshold")}
			/>
			<Button type="submit" look="primary" className={styles.submit} disabled={form.isBusy}>
				{t.save}
			</Button>
		</form>
	);
}
