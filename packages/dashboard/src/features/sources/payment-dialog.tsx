import { useQuery } from "@tanstack/react-query";
import { textOf, useForm } from "../../lib/use-form.ts";
import { Dialog } from "../../ui/dialog/dialog.tsx";
import { Field } from "../../ui/field/field.tsx";
import { RecordForm } from "../../ui/form/record-form.tsx";
import { Loaded } from "../../ui/loaded/loaded.tsx";
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
	<Dialog title={id === undefined ? words.add : words.edit} onClose={onClose}>
		{id === undefined ? (
			<PaymentForm site={site} onClose={onClose} />
		) : (
			<Changed site={site} id={id} onClose={onClose} />
		)}
	</Dialog>
);

const Changed = ({ site, id, onClose }: PaymentDialogProps & { readonly id: number }) => (
	<Loaded query={useQuery(paymentPageQuery(site.id, id))}>
		{(row) => <PaymentForm site={site} row={row} onClose={onClose} />}
	</Loaded>
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
	readonly row?: PaymentPage;
}

function PaymentForm({ site, row, onClose }: PaymentFormProps) {
	const { add, change } = usePaymentPages(site.id);
	const form = useForm(
		async (values) => {
			const to = rowOf(values);
			await (row === undefined ? add.mutateAsync(to) : change.mutateAsync({ row, to }));
			onClose();
		},
		{ draft: `payment ${row?.id ?? "new"}` },
	);
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
				autoComplete="off"
				autoCapitalize="none"
				spellCheck={false}
				error={form.errorOf("domain")}
			/>
			<Field
				label={words.service}
				name="service_name"
				defaultValue={row?.service_name}
				maxLength={100}
				autoComplete="off"
				error={form.errorOf("service_name")}
			/>
			<fieldset className={styles.group}>
				<legend>{words.fallback}</legend>
				<p className={styles.hint}>{words.fallbackHint}</p>
				<ValuesFields values={{ utm_source, utm_medium, utm_campaign, utm_term }} errorOf={form.errorOf} />
			</fieldset>
		</RecordForm>
	);
}
