import { useQuery } from "@tanstack/react-query";
import { ago, day } from "../../lib/format.ts";
import { Button } from "../../ui/button/button.tsx";
import { Item } from "../../ui/items/items.tsx";
import { segmentName, segmentsQuery } from "../segments/index.ts";
import { useSite } from "../site/index.ts";
import styles from "./sharing.module.css";
import { t } from "./texts.ts";
import type { Link } from "./use-links.ts";

const tones = { open: "good", off: "muted", expired: "muted", segment_gone: "bad" } as const;

interface LinkItemProps {
	readonly link: Link;
	readonly isBusy: boolean;
	readonly onAddress: () => void;
	readonly onEdit: () => void;
	readonly onTurn: () => void;
	readonly onRemove: () => void;
}

/** A shared link: state, content, views and actions. */
export function LinkItem({ link, isBusy, onAddress, onEdit, onTurn, onRemove }: LinkItemProps) {
	const { name, state, is_active: isActive } = link;
	const facts = useFacts(link);
	return (
		<Item
			title={name}
			state={{ text: t.states[state], tone: tones[state] }}
			facts={
				<>
					{seenOf(link)} <br />
					{facts.join(" · ")}
				</>
			}
			actions={
				<>
					<Button small aria-label={t.addressOne(name)} onClick={onAddress}>
						{t.address}
					</Button>
					<Button small aria-label={t.editOne(name)} onClick={onEdit}>
						{t.edit}
					</Button>
					<Button small disabled={isBusy} aria-label={isActive ? t.offOne(name) : t.onOne(name)} onClick={onTurn}>
						{isActive ? t.off : t.on}
					</Button>
					<Button small look="danger" aria-label={t.removeOne(name)} onClick={onRemove}>
						{t.remove}
					</Button>
				</>
			}
		>
			{state === "segment_gone" && <p className={styles.fault}>{t.segmentGone}</p>}
		</Item>
	);
}

const seenOf = ({ views, last_seen_at: seen }: Link): string =>
	seen === null ? t.neverSeen : `${t.views(views)}, ${t.lastSeen(ago(seen))}`;

function useFacts(link: Link): readonly string[] {
	const site = useSite();
	const { segment_id: segment, expires_at: end, embed_origins: origins } = link;
	const { data } = useQuery({ ...segmentsQuery(site.id), enabled: segment !== null });
	const found = data?.find(({ id }) => id === segment);
	return [
		t.shows(link.lists.length),
		...(found ? [t.within(segmentName(found))] : []),
		...(link.has_password ? [t.locked] : []),
		...(link.may_filter ? [t.filters] : []),
		...(end === null ? [] : [t.until(day(end.slice(0, 10), "long"))]),
		...(origins.length === 0 ? [] : [t.framedBy(origins.map((origin) => new URL(origin).host).join(", "))]),
		t.begins(link.token_prefix),
	];
}
