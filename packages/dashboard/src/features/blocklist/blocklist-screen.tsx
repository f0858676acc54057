import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { type Answer, call } from "../../api/client.ts";
import { may } from "../../api/may.ts";
import { read } from "../../api/read.ts";
import { atField } from "../../lib/failure.ts";
import { time } from "../../lib/format.ts";
import { texts } from "../../lib/language.ts";
import { textOf } from "../../lib/use-form.ts";
import { AddButton } from "../../ui/button/add-button.tsx";
import { Button } from "../../ui/button/button.tsx";
import { Card } from "../../ui/card/card.tsx";
import { Dialog } from "../../ui/dialog/dialog.tsx";
import { Field, verbatim } from "../../ui/field/field.tsx";
import { RecordForm } from "../../ui/form/record-form.tsx";
import { useRecordForm, useRecords } from "../../ui/form/use-records.ts";
import { LoadedItems } from "../../ui/items/loaded-items.tsx";
import { RecordItem, type RecordRowProps } from "../../ui/items/record-actions.tsx";
import { meQuery, ScreenHead, usePanel, useSite } from "../site/index.ts";
import styles from "./blocklist.module.css";

/** Words on addresses that are not counted. */
const t = texts({
	en: {
		title: "Excluded IP addresses",
		explained:
			"Visits from these IP addresses are not recorded, for example from your office or a monitoring service. Existing data is kept.",
		list: "Excluded addresses",
		own: (ip: string) => `Your current IP address is ${ip}.`,
		ownCounted: "Your visits are counted.",
		ownUnsure: "Not listed on its own; it may be part of a range.",
		ownThere: "Excluded: your visits are not counted.",
		ownPaused: "Exclusion paused: your visits are counted.",
		leaveOut: "Exclude me",
		me: (name: string) => `Me (${name})`,
		add: "Add address",
		editTitle: "Edit address",
		address: "Address or range",
		addressHint: "203.0.113.9, a range such as 203.0.113.0/24, or an IPv6 address.",
		label: "Label",
		labelHint: "For example the office or person.",
		since: (day: string) => `since ${day}`,
		none: "No excluded addresses.",
		noneHint: "Exclude yourself to keep your own visits out of the stats.",
		taken: "This address is already listed.",
		added: (ip: string) => `${ip} excluded.`,
		changed: (ip: string) => `${ip} updated.`,
		isPaused: (ip: string) => `Exclusion of ${ip} paused.`,
		isResumed: (ip: string) => `Exclusion of ${ip} resumed.`,
		removed: (ip: string) => `${ip} removed.`,
	},
	es: {
		title: "Direcciones IP excluidas",
		explained:
			"Las visitas desde estas direcciones IP no se registran, por ejemplo las de tu oficina o las de un servicio de monitorización. Los datos existentes se conservan.",
		list: "Direcciones excluidas",
		own: (ip: string) => `Tu dirección IP actual es ${ip}.`,
		ownCounted: "Tus visitas se cuentan.",
		ownUnsure: "No figura por sí sola; puede ser parte de un rango.",
		ownThere: "Excluida: tus visitas no se cuentan.",
		ownPaused: "Exclusión en pausa: tus visitas se cuentan.",
		leaveOut: "Excluirme",
		me: (name: string) => `Yo (${name})`,
		add: "Añadir dirección",
		editTitle: "Editar dirección",
		address: "Dirección o rango",
		addressHint: "203.0.113.9, un rango como 203.0.113.0/24 o una dirección IPv6.",
		label: "Etiqueta",
		labelHint: "Por ejemplo, la oficina o la persona.",
		since: (day: string) => `desde ${day}`,
		none: "No hay direcciones excluidas.",
		noneHint: "Exclúyete para que tus propias visitas no entren en las estadísticas.",
		taken: "Esta dirección ya está en la lista.",
		added: (ip: string) => `${ip} excluida.`,
		changed: (ip: string) => `${ip} actualizada.`,
		isPaused: (ip: string) => `Exclusión de ${ip} en pausa.`,
		isResumed: (ip: string) => `Exclusión de ${ip} reanudada.`,
		removed: (ip: string) => `${ip} eliminada.`,
	},
});

/** An address whose hits are not counted. */
type Entry = Answer<"GET /blocklist-ips">["entries"][number];
type EntryInput = Pick<Entry, "ip_or_cidr" | "reason"> & { readonly is_active?: boolean };

/** All addresses of a site, paused ones too. */
const blocklistQuery = (site: string) =>
	read("GET /blocklist-ips", { query: { account_id: site, include_inactive: true } });

const taken = atField({ duplicate_entry: ["ip_or_cidr", t.taken] });

/** Changes of the list. */
function useBlocklist(site: string) {
	const query = { account_id: site };
	return useRecords<Entry, EntryInput>({
		stale: ["GET /blocklist-ips"],
		create: (body) => call("POST /blocklist-ips", { query, body }).catch(taken),
		write: ({ id }, body) =>
			call("PATCH /blocklist-ips/{entry_id}", { path: { entry_id: id }, query, body }).catch(taken),
		drop: ({ id }) => call("DELETE /blocklist-ips/{entry_id}", { path: { entry_id: id }, query }),
		fieldsOf: ({ ip_or_cidr, reason, is_active }) => ({ ip_or_cidr, reason, is_active }),
		added: ({ ip_or_cidr: ip }) => t.added(ip),
		changed: ({ ip_or_cidr: ip, is_active }, before) =>
			is_active === before.is_active ? t.changed(ip) : is_active ? t.isResumed(ip) : t.isPaused(ip),
		removed: ({ ip_or_cidr: ip }) => t.removed(ip),
	});
}

/** The addresses whose hits are not counted. */
export function BlocklistScreen() {
	const site = useSite();
	const query = useQuery(blocklistQuery(site.id));
	const panel = usePanel();
	const mayWrite = may("POST /blocklist-ips", site.role);
	const edited = query.data?.entries.find(({ id }) => panel.kind === "address" && String(id) === panel.id);
	return (
		<>
			<ScreenHead title={t.title}>
				{mayWrite && <AddButton onClick={() => panel.open("new")}>{t.add}</AddButton>}
			</ScreenHead>
			<Card>
				<p className="intro">{t.explained}</p>
				{query.data && <OwnAddress site={site.id} mayWrite={mayWrite} entries={query.data.entries} />}
			</Card>
			<Card title={t.list}>
				<LoadedItems label={t.list} query={query} of={({ entries }) => entries} empty={<Empty />}>
					{(entry) => (
						<Row
							key={entry.id}
							site={site.id}
							row={entry}
							mayWrite={mayWrite}
							onEdit={() => panel.open("address", entry.id)}
						/>
					)}
				</LoadedItems>
			</Card>
			{mayWrite && panel.kind === "new" && <AddressDialog site={site.id} onClose={panel.close} />}
			{mayWrite && edited && <AddressDialog key={edited.id} site={site.id} entry={edited} onClose={panel.close} />}
		</>
	);
}

const Empty = () => (
	<>
		<p>{t.none}</p>
		<p>{t.noneHint}</p>
	</>
);

const Row = (props: RecordRowProps<Entry> & { readonly site: string }) => {
	const { ip_or_cidr: address, reason, created_at: created } = props.row;
	const since = t.since(time(created));
	const facts = reason === "" ? since : `${reason} · ${since}`;
	return <RecordItem {...props} name={address} facts={facts} changes={useBlocklist(props.site)} />;
};

interface AddressDialogProps {
	readonly site: string;
	/** The edited entry; absent for a new one. */
	readonly entry?: Entry;
	readonly onClose: () => void;
}

/** An excluded address and its label. */
function AddressDialog({ site, entry, onClose }: AddressDialogProps) {
	const form = useRecordForm({
		changes: useBlocklist(site),
		row: entry,
		kind: "address",
		fieldsOf: (values) => ({ ip_or_cidr: textOf(values, "ip_or_cidr"), reason: textOf(values, "reason") }),
		onDone: onClose,
	});
	return (
		<Dialog title={entry === undefined ? t.add : t.editTitle} onClose={onClose}>
			<RecordForm form={form} onCancel={onClose}>
				<Field
					label={t.address}
					hint={t.addressHint}
					name="ip_or_cidr"
					defaultValue={entry?.ip_or_cidr}
					required
					maxLength={50}
					autoFocus
					{...verbatim}
				/>
				<Field
					label={t.label}
					hint={t.labelHint}
					name="reason"
					defaultValue={entry?.reason}
					maxLength={255}
					autoComplete="off"
				/>
			</RecordForm>
		</Dialog>
	);
}

interface OwnAddressProps {
	readonly site: string;
	readonly mayWrite: boolean;
	readonly entries: readonly Entry[];
}

/** Where the reader is, and the way to leave oneself out. */
function OwnAddress({ site, mayWrite, entries }: OwnAddressProps) {
	const { data: me } = useSuspenseQuery(meQuery);
	const { add, change } = useBlocklist(site);
	const { data } = useQuery(read("GET /utils/my-ip"));
	if (data === undefined) return null;
	const entry = entries.find(({ ip_or_cidr: address }) => address === data.ip);
	const leaveOut = () =>
		entry === undefined
			? add.run({ ip_or_cidr: data.ip, reason: t.me(me.name) })
			: change.run({ row: entry, to: { is_active: true } });
	return (
		<div className={styles.own}>
			<p>
				{t.own(data.ip)} {entry === undefined ? unlisted(entries) : entry.is_active ? t.ownThere : t.ownPaused}
			</p>
			{mayWrite && entry?.is_active !== true && (
				<Button small onClick={leaveOut} disabled={add.isBusy || change.isBusy}>
					{t.leaveOut}
				</Button>
			)}
		</div>
	);
}

const unlisted = (entries: readonly Entry[]): string =>
	entries.some(({ ip_or_cidr: address, is_active: isActive }) => isActive && address.includes("/"))
		? t.ownUnsure
		: t.ownCounted;
