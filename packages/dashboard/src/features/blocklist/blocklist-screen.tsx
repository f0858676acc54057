import { useQuery } from "@tanstack/react-query";
import { may } from "../../api/may.ts";
import { time } from "../../lib/format.ts";
import { AddButton } from "../../ui/button/add-button.tsx";
import { Card } from "../../ui/card/card.tsx";
import { Item, Items } from "../../ui/items/items.tsx";
import { pausedState, RecordActions } from "../../ui/items/record-actions.tsx";
import { Loaded } from "../../ui/loaded/loaded.tsx";
import { ScreenHead, usePanel, useSite } from "../site/index.ts";
import { AddressDialog } from "./address-dialog.tsx";
import styles from "./blocklist.module.css";
import { OwnAddress } from "./own-address.tsx";
import { t } from "./texts.ts";
import { blocklistQuery, type Entry, useBlocklist } from "./use-blocklist.ts";

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
				<p className={styles.hint}>{t.explained}</p>
				{query.data && <OwnAddress site={site.id} mayWrite={mayWrite} entries={query.data.entries} />}
			</Card>
			<Card title={t.list}>
				<Loaded query={query} isEmpty={({ total }) => total === 0} empty={<Empty />}>
					{({ entries }) => (
						<Items label={t.list}>
							{entries.map((entry) => (
								<Row
									key={entry.id}
									site={site.id}
									entry={entry}
									mayWrite={mayWrite}
									onEdit={() => panel.open("address", entry.id)}
								/>
							))}
						</Items>
					)}
				</Loaded>
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

interface RowProps {
	readonly site: string;
	readonly entry: Entry;
	readonly mayWrite: boolean;
	readonly onEdit: () => void;
}

function Row({ site, entry, mayWrite, onEdit }: RowProps) {
	const { change, remove } = useBlocklist(site);
	const { ip_or_cidr: address, reason, is_active: isActive } = entry;
	const since = t.since(time(entry.created_at));
	return (
		<Item
			title={address}
			facts={reason === "" ? since : `${reason} · ${since}`}
			state={pausedState(isActive)}
			actions={
				mayWrite && (
					<RecordActions
						name={address}
						isActive={isActive}
						isBusy={change.isBusy || remove.isBusy}
						onEdit={onEdit}
						onToggle={() => change.run({ entry, to: { is_active: !isActive } })}
						onRemove={() => remove.run(entry)}
					/>
				)
			}
		/>
	);
}
