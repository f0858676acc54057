import { textOf } from "../../lib/use-form.ts";
import { Field, verbatim } from "../../ui/field/field.tsx";
import { RecordDialog, RecordForm } from "../../ui/form/record-form.tsx";
import { useRecordForm } from "../../ui/form/use-records.ts";
import type { Site } from "../site/index.ts";
import styles from "./sources.module.css";
import { t } from "./texts.ts";
import { type PaymentPage, paymentPageQuery, usePaymentPages } from "./use-payment-pages.ts";
import { ValuesFields } from "./values-fields.tsx";

const words = t.payments;

interface PaymentDialogProps {
	readonly site: Site;
	/** Of what is changed; a new one without it. */
	readonly id?: number;
	readonly onClose: () => void;
}

/** A page that visitors come back from. */
export const PaymentDialog = ({ site, id, onClose }: PaymentDialogProps) => (
	<RecordDialog
		title={id === undefined ? words.add : words.edit}
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
				label={words.domain}
				hint={words.domainHint}
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
				label={words.service}
				name="service_name"
				defaultValue={row?.service_name}
				maxLength={100}
				autoComplete="off"
			/>
			<fieldset className={styles.group}>
				<legend>{words.fallback}</legend>
				<p className={styles.hint}>{words.fallbackHint}</p>
				<ValuesFields values={{ utm_source, utm_medium, utm_campaign, utm_term }} />
			</fieldset>
		</RecordForm>
	);
}
