import { useQuery } from "@tanstack/react-query";
import type { Answer } from "../../api/client.ts";
import { price } from "../../lib/format.ts";
import { Card } from "../../ui/card/card.tsx";
import { type Column, DataTable } from "../../ui/data-table/data-table.tsx";
import { State } from "../../ui/items/items.tsx";
import { Loaded } from "../../ui/loaded/loaded.tsx";
import type { Organization } from "../organizations/index.ts";
import { dayWords } from "./period-words.ts";
import { invoicesQuery } from "./queries.ts";
import { t } from "./texts.ts";

type Invoice = Answer<"GET /billing/invoices">[number];

const tones = { draft: "muted", open: "warn", paid: "good", uncollectible: "bad", void: "muted" } as const;

const columns: readonly Column<Invoice>[] = [
	{ key: "number", label: t.number, cell: ({ number, id }) => number ?? id },
	{ key: "day", label: t.day, cell: ({ created_at: at }) => dayWords(at) },
	{ key: "due", label: t.amount, isNumber: true, cell: (row) => price(row.amount_due, row.currency.toUpperCase()) },
	{
		key: "status",
		label: t.status,
		cell: ({ status }) => status && <State text={t.invoiceStates[status]} tone={tones[status]} />,
	},
	{ key: "files", label: t.document, cell: (row) => <Documents invoice={row} /> },
];

/** Invoices with their state. */
export function InvoicesCard({ organization }: { readonly organization: Organization }) {
	const query = useQuery(invoicesQuery(organization.id));
	return (
		<Card label={t.invoices} title={t.invoices}>
			<Loaded query={query} isEmpty={(invoices) => invoices.length === 0} empty={<p>{t.noInvoices}</p>}>
				{(invoices) => <DataTable label={t.invoices} columns={columns} rows={invoices} rowKey={({ id }) => id} />}
			</Loaded>
		</Card>
	);
}

const Documents = ({ invoice: { pdf_url: pdf, hosted_invoice_url: page } }: { readonly invoice: Invoice }) => (
	<>
		{pdf !== null && (
			<a href={pdf} target="_blank" rel="noreferrer">
				PDF
			</a>
		)}
		{pdf !== null && page !== null && " · "}
		{page !== null && (
			<a href={page} target="_blank" rel="noreferrer">
				{t.look}
			</a>
		)}
	</>
);
