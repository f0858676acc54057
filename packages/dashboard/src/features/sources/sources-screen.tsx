import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useId } from "react";
import { type Answer, call } from "../../api/client.ts";
import { may } from "../../api/may.ts";
import { read } from "../../api/read.ts";
import { atField } from "../../lib/failure.ts";
import { textOf, useForm } from "../../lib/use-form.ts";
import { Dialog } from "../../ui/dialog/dialog.tsx";
import { Field, Select, verbatim } from "../../ui/field/field.tsx";
import { Options } from "../../ui/field/options.tsx";
import { RecordDialog, RecordForm } from "../../ui/form/record-form.tsx";
import { useRecordForm, useRecords } from "../../ui/form/use-records.ts";
import { RecordItem, type RecordRowProps } from "../../ui/items/record-actions.tsx";
import { Tabs } from "../../ui/tabs/tabs.tsx";
import { ScreenHead, type Site, useChangeSearch, usePanel, useSite, useSiteSearch } from "../site/index.ts";
import { ListCard } from "./list-card.tsx";
import { ReferrersTab } from "./referrers-tab.tsx";
import styles from "./sources.module.css";
import { t } from "./texts.ts";
import { type PaymentPage, paymentPageQuery, paymentPagesQuery, usePaymentPages } from "./use-payment-pages.ts";
import { valuesOf } from "./use-referrer-rules.ts";
import { ValuesFields } from "./values-fields.tsx";

const parameterWords = t.parameters;

type Mapping = Answer<"GET /sites/{id}/utm-mappings">["mappings"][number];
type Fields = Pick<Mapping, "custom_param" | "maps_to"> & { readonly is_active?: boolean };
const targets = ["utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content"] as const;

const mappingsQuery = (id: string) => read("GET /sites/{id}/utm-mappings", { path: { id } });

const taken = atField({ duplicate_entry: ["custom_param", parameterWords.taken] });

function useMappings(id: string) {
	const write = ({ id: mapping_id }: Mapping, { custom_param: _, ...body }: Partial<Fields>) =>
		call("PATCH /sites/{id}/utm-mappings/{mapping_id}", { path: { id, mapping_id }, body });
	return useRecords<Mapping, Fields>({
		stale: ["GET /sites/{id}/utm-mappings"],
		create: async ({ is_active, ...body }) => {
			const mapping = await call("POST /sites/{id}/utm-mappings", { path: { id }, body }).catch(taken);
			return is_active === false ? write(mapping, { is_active }) : mapping;
		},
		write,
		// Parameters may hold a slash, so that they stand in the query, not in the path.
		drop: ({ custom_param }) => call("DELETE /sites/{id}/utm-mappings", { path: { id }, query: { custom_param } }),
		fieldsOf: ({ custom_param, maps_to, is_active }) => ({ custom_param, maps_to, is_active }),
		added: ({ custom_param: param }) => parameterWords.added(param),
		changed: ({ custom_param: param }) => parameterWords.changed(param),
		removed: ({ custom_param: param }) => parameterWords.removed(param),
	});
}

/** Parameters of links that are campaign values under another name. */
function ParametersTab({ site }: { readonly site: Site }) {
	const query = useQuery(mappingsQuery(site.id));
	const panel = usePanel();
	const mayWrite = may("POST /sites/{id}/utm-mappings", site.role);
	const edited = query.data?.mappings.find(({ id }) => panel.kind === "parameter" && String(id) === panel.id);
	return (
		<>
			<ListCard
				words={parameterWords}
				visit={parameterWords.visit(site.domains[0] ?? "example.com")}
				query={query}
				rowsOf={({ mappings }) => mappings}
				onAdd={mayWrite ? () => panel.open("new") : undefined}
				row={(mapping) => (
					<ParameterRow
						key={mapping.id}
						site={site}
						row={mapping}
						mayWrite={mayWrite}
						onEdit={() => panel.open("parameter", mapping.id)}
					/>
				)}
			/>
			{mayWrite && panel.kind === "new" && <MappingDialog site={site} onClose={panel.close} />}
			{mayWrite && edited && <MappingDialog key={edited.id} site={site} mapping={edited} onClose={panel.close} />}
		</>
	);
}

const ParameterRow = (props: RecordRowProps<Mapping> & { readonly site: Site }) => (
	<RecordItem
		{...props}
		name={props.row.custom_param}
		facts={parameterWords.fact(t.fields[props.row.maps_to])}
		changes={useMappings(props.site.id)}
	/>
);

interface MappingDialogProps {
	readonly site: Site;
	readonly mapping?: Mapping;
	readonly onClose: () => void;
}

function MappingDialog({ site, mapping, onClose }: MappingDialogProps) {
	const { add, change } = useMappings(site.id);
	const form = useForm(
		async (values) => {
			const maps_to = targets.find((target) => target === textOf(values, "maps_to")) ?? "utm_source";
			if (mapping === undefined) await add.mutateAsync({ custom_param: textOf(values, "custom_param"), maps_to });
			else await change.mutateAsync({ row: mapping, to: { maps_to } });
			onClose();
		},
		{ draft: `parameter ${mapping?.id ?? "new"}` },
	);
	return (
		<Dialog title={mapping === undefined ? parameterWords.add : parameterWords.edit} onClose={onClose}>
			<RecordForm form={form} onCancel={onClose}>
				<Field
					label={parameterWords.param}
					hint={parameterWords.paramHint}
					name="custom_param"
					defaultValue={mapping?.custom_param}
					readOnly={mapping !== undefined}
					required
					maxLength={100}
					{...verbatim}
					autoFocus={mapping === undefined}
				/>
				<Select
					label={parameterWords.mapsTo}
					name="maps_to"
					defaultValue={mapping?.maps_to}
					autoFocus={mapping !== undefined}
				>
					<Options of={targets} text={(target) => t.fields[target]} />
				</Select>
			</RecordForm>
		</Dialog>
	);
}

/** The lists in the collector's order: URL parameters, payment pages, referrers. */
const tabs = ["parameters", "payments", "referrers"] as const;
const shown = { parameters: ParametersTab, payments: PaymentsTab, referrers: ReferrersTab };

/** How a visit gets its source: three lists that act one after the other. */
export function SourcesScreen() {
	const site = useSite();
	const { view } = useSiteSearch();
	const change = useChangeSearch();
	const panel = useId();
	const chosen = tabs.find((key) => key === view[0]) ?? tabs[0];
	const Tab = shown[chosen];
	return (
		<>
			<ScreenHead title={t.title} />
			<p className={styles.hint}>
				{t.intro} {t.forNow}{" "}
				<Link to="/sites/$id/settings/channels" params={{ id: site.id }}>
					{t.toChannels}
				</Link>
			</p>
			<Tabs
				label={t.steps}
				tabs={tabs.map((key) => ({ key, label: t.tabs[key] }))}
				chosen={chosen}
				onChoose={(key) => change({ view: key === tabs[0] ? [] : [key], panel: undefined })}
				panel={panel}
			/>
			<div id={panel} role="tabpanel" aria-label={t.tabs[chosen]} className={styles.panel}>
				<Tab key={chosen} site={site} />
			</div>
		</>
	);
}

const words = t.payments;

/** Pages that visitors come back from: they begin no new visit. */
function PaymentsTab({ site }: { readonly site: Site }) {
	const query = useQuery(paymentPagesQuery(site.id));
	const panel = usePanel();
	const mayWrite = may("POST /passthrough-referrers", site.role);
	return (
		<>
			<ListCard
				words={words}
				visit={words.visit}
				query={query}
				rowsOf={({ referrers }) => referrers}
				onAdd={mayWrite ? () => panel.open("new") : undefined}
				row={(row) => (
					<Row key={row.id} site={site} row={row} mayWrite={mayWrite} onEdit={() => panel.open("payment", row.id)} />
				)}
			/>
			{mayWrite && panel.kind === "new" && <PaymentDialog site={site} onClose={panel.close} />}
			{mayWrite && panel.kind === "payment" && (
				<PaymentDialog key={panel.id} site={site} id={Number(panel.id)} onClose={panel.close} />
			)}
		</>
	);
}

const Row = (props: RecordRowProps<PaymentPage> & { readonly site: Site }) => {
	const { row } = props;
	return (
		<RecordItem
			{...props}
			name={row.domain}
			title={row.service_name === "" ? row.domain : `${row.service_name}: ${row.domain}`}
			facts={words.fact(valuesOf(row))}
			changes={usePaymentPages(props.site.id)}
		/>
	);
};

const paymentWords = t.payments;

interface PaymentDialogProps {
	readonly site: Site;
	/** Of what is changed; a new one without it. */
	readonly id?: number;
	readonly onClose: () => void;
}

/** A page that visitors come back from. */
const PaymentDialog = ({ site, id, onClose }: PaymentDialogProps) => (
	<RecordDialog
		title={id === undefined ? paymentWords.add : paymentWords.edit}
		query={id === undefined ? undefined : paymentPageQuery(site.id, id)}
		onClose={onClose}
	>
		{(row) => <PaymentForm site={site} row={row} onClose={onClose} />}
	</RecordDialog>
);

const rowOf = (values: FormData) => ({
	domain: textOf(values, "domain"),
	service_name: textOf(values, "service_name"),
	utm_source: textOf(values, "utm_source"),
	utm_medium: textOf(values, "utm_medium"),
	utm_campaign: textOf(values, "utm_campaign"),
	utm_term: textOf(values, "utm_term"),
});

interface PaymentFormProps extends Pick<PaymentDialogProps, "site" | "onClose"> {
	readonly row: PaymentPage | undefined;
}

function PaymentForm({ site, row, onClose }: PaymentFormProps) {
	const form = useRecordForm({
		changes: usePaymentPages(site.id),
		row,
		kind: "payment",
		fieldsOf: rowOf,
		onDone: onClose,
	});
	const { utm_source = "", utm_medium = "passthrough", utm_campaign = "", utm_term = "" } = row ?? {};
	return (
		<RecordForm form={form} onCancel={onClose}>
			<Field
				label={paymentWords.domain}
				hint={paymentWords.domainHint}
				name="domain"
				defaultValue={row?.domain}
				placeholder="example.com"
				required
				maxLength={255}
				inputMode="url"
				autoFocus
				{...verbatim}
			/>
			<Field
				label={paymentWords.service}
				name="service_name"
				defaultValue={row?.service_name}
				maxLength={100}
				autoComplete="off"
			/>
			<fieldset className={styles.group}>
				<legend>{paymentWords.fallback}</legend>
				<p className={styles.hint}>{paymentWords.fallbackHint}</p>
				<ValuesFields values={{ utm_source, utm_medium, utm_campaign, utm_term }} />
			</fieldset>
		</RecordForm>
	);
}
