import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { may } from "../../api/may.ts";
import { AddButton } from "../../ui/button/add-button.tsx";
import { Button, buttonClass } from "../../ui/button/button.tsx";
import { Card } from "../../ui/card/card.tsx";
import { Item, Items } from "../../ui/items/items.tsx";
import { Loaded } from "../../ui/loaded/loaded.tsx";
import { ScreenHead, usePanel, useSite } from "../site/index.ts";
import styles from "./manage.module.css";
import { t } from "./manage-texts.ts";
import { SegmentDialog } from "./segment-dialog.tsx";
import { descriptionOf, nameOf, type Segment } from "./segment-words.ts";
import { segmentsQuery } from "./segments-query.ts";
import { useSegments } from "./use-segments.ts";

/** The saved choices of visits, and those that each site has. */
export function SegmentsScreen() {
	const site = useSite();
	const query = useQuery(segmentsQuery(site.id));
	const panel = usePanel();
	const mayWrite = may("POST /segments", site.role);
	const isNew = mayWrite && panel.kind === "new";
	return (
		<>
			<ScreenHead title={t.title}>
				{mayWrite && <AddButton onClick={() => panel.open("new")}>{t.add}</AddButton>}
			</ScreenHead>
			<p className="intro">{t.explained}</p>
			<Card title={t.own}>
				<Loaded query={query} isEmpty={(all) => all.every(({ is_system: isSystem }) => isSystem)} empty={<Empty />}>
					{(all) => <List label={t.own} all={all} isSystem={false} />}
				</Loaded>
			</Card>
			<Card title={t.builtIn}>
				<Loaded query={query}>{(all) => <List label={t.builtIn} all={all} isSystem />}</Loaded>
			</Card>
			{query.data && (isNew || panel.kind === "segment") && (
				<SegmentDialog
					key={panel.id}
					site={site}
					segments={query.data}
					{...(panel.kind === "segment" && { id: panel.id })}
					onClose={panel.close}
				/>
			)}
		</>
	);
}

const Empty = () => (
	<>
		<p>{t.none}</p>
		<p>{t.noneHint}</p>
	</>
);

interface ListProps {
	readonly label: string;
	readonly all: readonly Segment[];
	readonly isSystem: boolean;
}

const List = ({ label, all, isSystem }: ListProps) => (
	<Items label={label}>
		{all
			.filter((segment) => segment.is_system === isSystem)
			.map((segment) => (
				<Row key={segment.id} segment={segment} all={all} />
			))}
	</Items>
);

function Row({ segment, all }: { readonly segment: Segment; readonly all: readonly Segment[] }) {
	const site = useSite();
	const panel = usePanel();
	const { duplicate, remove } = useSegments(site.id, all);
	const name = nameOf(segment);
	const mayWrite = may("PATCH /segments/{id}", site.role);
	const mayChange = mayWrite && !segment.is_system;
	const open = mayChange ? t.editShort : t.show;
	return (
		<Item
			lead={!segment.is_system && <Dot color={segment.color} />}
			title={name}
			facts={[t.conditions(segment.filter_count), descriptionOf(segment)].filter(Boolean).join(" · ")}
			actions={
				<>
					<ToReport segment={segment} />
					<Button small aria-label={`${open}: ${name}`} onClick={() => panel.open("segment", segment.id)}>
						{open}
					</Button>
					{mayWrite && (
						<Button
							small
							aria-label={`${t.duplicate}: ${name}`}
							disabled={duplicate.isBusy}
							onClick={() => duplicate.run(segment)}
						>
							{t.duplicate}
						</Button>
					)}
					{mayChange && (
						<Button
							small
							aria-label={`${t.remove}: ${name}`}
							disabled={remove.isBusy}
							onClick={() => remove.run(segment)}
						>
							{t.remove}
						</Button>
					)}
				</>
			}
		/>
	);
}

function ToReport({ segment }: { readonly segment: Segment }) {
	const { id } = useSite();
	return (
		<Link
			to="/sites/$id"
			params={{ id }}
			search={{ segment: segment.name }}
			className={buttonClass("quiet", true)}
			aria-label={`${t.report}: ${nameOf(segment)}`}
		>
			{t.report}
		</Link>
	);
}

const Dot = ({ color }: { readonly color: string | null }) => (
	<span className={styles.dot} style={color === null ? undefined : { background: color }} aria-hidden="true" />
);
