import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { call } from "../../api/client.ts";
import { read } from "../../api/read.ts";
import { textOf, useForm } from "../../lib/use-form.ts";
import { Card } from "../../ui/card/card.tsx";
import { Field, Select, verbatim } from "../../ui/field/field.tsx";
import { Form, Submit } from "../../ui/form/form.tsx";
import page from "../../ui/page/page.module.css";
import { Steps } from "../../ui/page/steps.tsx";
import { OuterFrame } from "../account/index.ts";
import { sitesQuery } from "../site/index.ts";
import { atItsField } from "./at-its-field.ts";
import { currencies, currencyOf } from "./currencies.ts";
import styles from "./new-site.module.css";
import { t } from "./texts.ts";
import { ZoneField } from "./zone-field.tsx";

/** Form of a new site: name, domain and time zone. The snippet and the first visit follow. */
export function NewSiteScreen() {
	return (
		<OuterFrame title={t.newTitle}>
			<div className={styles.screen}>
				<Steps names={t.steps} current={0} />
				<Card>
					<NewSiteForm />
				</Card>
			</div>
		</OuterFrame>
	);
}

function NewSiteForm() {
	const create = useCreateSite();
	const form = useForm(create);
	const { data: organizations } = useQuery(organizationsQuery);
	const ownZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
	const owned = (organizations?.organizations ?? []).filter(({ user_role: role }) => role !== "member");
	return (
		<Form form={form} className={page.form}>
			<Field label={t.name} name="name" placeholder={t.namePlaceholder} maxLength={255} required autoFocus />
			<Field
				label={t.domain}
				name="domains"
				placeholder="example.com"
				inputMode="url"
				{...verbatim}
				required
				hint={t.domainHint}
			/>
			<div className={styles.pair}>
				<ZoneField label={t.timezone} hint={t.timezoneHint} defaultValue={ownZone} />
				<Select label={t.currency} name="currency" defaultValue={currencyOf(navigator.language)} hint={t.currencyHint}>
					{currencies.map((code) => (
						<option key={code}>{code}</option>
					))}
				</Select>
			</div>
			{owned.length > 1 && (
				<Select label={t.organization} name="org_id">
					{owned.map(({ id, name }) => (
						<option key={id} value={id}>
							{name}
						</option>
					))}
				</Select>
			)}
			<Submit>{t.create}</Submit>
		</Form>
	);
}

/** Makes the site and goes to its snippet; faults that the API names by a code stand at their field. */
function useCreateSite(): (values: FormData) => Promise<void> {
	const queries = useQueryClient();
	const navigate = useNavigate();
	return async (values) => {
		const organization = textOf(values, "org_id");
		const body = {
			name: textOf(values, "name"),
			domains: [textOf(values, "domains")],
			timezone: textOf(values, "timezone"),
			currency: textOf(values, "currency"),
			...(organization !== "" && { org_id: organization }),
		};
		const site = await call("POST /sites", { body }).catch(atItsField);
		await queries.fetchQuery({ ...sitesQuery, staleTime: 0 });
		await navigate({ to: "/sites/$id/settings/install", params: { id: site.id }, search: { view: "new" } });
	};
}

const organizationsQuery = read("GET /organizations");
