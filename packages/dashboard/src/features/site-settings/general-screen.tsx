import { may } from "../../api/may.ts";
import { textOf, useForm } from "../../lib/use-form.ts";
import { Card } from "../../ui/card/card.tsx";
import { Check, Field, Select } from "../../ui/field/field.tsx";
import { Options } from "../../ui/field/options.tsx";
import { Form, Submit } from "../../ui/form/form.tsx";
import { ScreenHead, type Site, useSite } from "../site/index.ts";
import { atItsField, ZoneField } from "../sites/index.ts";
import { settingFields } from "./setting-fields.ts";
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

function Facts({ site }: { readonly site: Site }) {
	const facts = settingFields.map(({ name, label }) => <Fact key={name} name={label} value={String(site[name])} />);
	return <dl className={styles.facts}>{facts.toSpliced(1, 0, <Fact key="id" name={t.id} value={site.id} />)}</dl>;
}

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
			const changed = settingFields
				.map((field) => [field.name, settingOf(field, values)] as const)
				.filter(([name, value]) => site[name] !== value);
			if (changed.length > 0) await change(Object.fromEntries(changed)).catch(atItsField);
		},
		{ draft: `site ${site.id}` },
	);
	return (
		<Form form={form} className={styles.settings}>
			{settingFields.map((field) => (
				<div key={field.name} className={field.isHalf ? styles.half : styles.whole}>
					<SettingField field={field} site={site} />
				</div>
			))}
			<Submit />
		</Form>
	);
}

type SettingField = (typeof settingFields)[number];

function settingOf({ name, input }: SettingField, values: FormData) {
	if (input?.type === "checkbox") return values.has(name);
	return input?.type === "number" ? Number(textOf(values, name)) : textOf(values, name);
}

function SettingField({ field, site }: { readonly field: SettingField; readonly site: Site }) {
	const { name, label, input, choices } = field;
	const hint = name === "name" ? `${t.id}: ${site.id}. ${t.idHint}` : field.hint;
	const props = { label, hint, defaultValue: String(site[name]) };
	if (choices === "zones") return <ZoneField {...props} />;
	if (choices !== undefined) {
		return (
			<Select name={name} {...props}>
				<Options of={[...new Set([props.defaultValue, ...choices])].sort()} />
			</Select>
		);
	}
	if (input?.type === "checkbox") {
		return <Check name={name} label={label} hint={hint} {...input} defaultChecked={site[name] === true} />;
	}
	return <Field name={name} {...props} {...input} />;
}
