import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../../api/client.ts";
import { may } from "../../api/may.ts";
import { day } from "../../lib/format.ts";
import { textOf, useForm } from "../../lib/use-form.ts";
import { Button } from "../../ui/button/button.tsx";
import { Card } from "../../ui/card/card.tsx";
import { ConfirmDialog } from "../../ui/confirm/confirm-dialog.tsx";
import { Check, Field, Select } from "../../ui/field/field.tsx";
import { Options } from "../../ui/field/options.tsx";
import { Form, Submit } from "../../ui/form/form.tsx";
import { toast } from "../../ui/toast/toast.tsx";
import { ScreenHead, type Site, sitesQuery, useSite } from "../site/index.ts";
import { atItsField, ZoneField } from "../sites/index.ts";
import { settingFields } from "./setting-fields.ts";
import styles from "./site-settings.module.css";
import { t } from "./texts.ts";
import { useSiteChange } from "./use-site-change.ts";

/** Name, time zone, currency, tracking and deletion of the site. */
export function GeneralScreen() {
	const site = useSite();
	const mayWrite = may("PATCH /sites/{id}", site.role);
	return (
		<div className={styles.screen}>
			<ScreenHead title={t.general} />
			<div className="stack-12">
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

/** Whether the site counts; it can rest, and it can end. */
function StateCard({ site }: { readonly site: Site }) {
	const { run, isBusy } = useSiteChange(site, ({ is_active: isActive }) => (isActive ? t.resumed : t.paused));
	const isDeleted = site.purge_at !== null;
	// To stop a site is for its owners, as it is to delete it.
	const mayStop = may("DELETE /sites/{id}", site.role);
	const mayResume = may("PATCH /sites/{id}", site.role);
	return (
		<>
			<Card title={t.state}>
				<div className={styles.row}>
					<p>{stateOf(site)}</p>
					{site.is_active
						? mayStop && (
								<Button disabled={isBusy} onClick={() => run({ is_active: false })}>
									{t.pause}
								</Button>
							)
						: mayResume && (
								<Button look="primary" disabled={isBusy} onClick={() => run({ is_active: true })}>
									{isDeleted ? t.bringBack : t.resume}
								</Button>
							)}
				</div>
			</Card>
			{mayStop && !isDeleted && <RemoveCard site={site} />}
		</>
	);
}

function stateOf({ is_active: isActive, purge_at: purgeAt }: Site): string {
	if (purgeAt !== null) return t.deletedUntil(day(purgeAt.slice(0, 10), "long"));
	return isActive ? t.counting : t.resting;
}

function RemoveCard({ site }: { readonly site: Site }) {
	const [isOpen, setOpen] = useState(false);
	const queries = useQueryClient();
	const remove = async () => {
		await call("DELETE /sites/{id}", { path: { id: site.id } });
		await queries.invalidateQueries({ queryKey: sitesQuery.queryKey });
		toast(t.removed);
	};
	return (
		<Card title={t.remove}>
			<div className={styles.row}>
				<p>{t.removeHint}</p>
				<Button look="danger" onClick={() => setOpen(true)}>
					{t.remove}
				</Button>
			</div>
			{isOpen && (
				<ConfirmDialog
					title={t.removeTitle(site.name)}
					goes={t.removeGoes}
					stays={t.removeStays}
					name={site.name}
					action={t.remove}
					onConfirm={remove}
					onClose={() => setOpen(false)}
				/>
			)}
		</Card>
	);
}
