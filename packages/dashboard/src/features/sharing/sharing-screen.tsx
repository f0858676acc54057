import { useQuery } from "@tanstack/react-query";
import { type Dispatch, type SetStateAction, useState } from "react";
import { may } from "../../api/may.ts";
import { ago, day } from "../../lib/format.ts";
import { AddButton } from "../../ui/button/add-button.tsx";
import { Button } from "../../ui/button/button.tsx";
import { Card } from "../../ui/card/card.tsx";
import { ConfirmDialog } from "../../ui/confirm/confirm-dialog.tsx";
import { Dialog } from "../../ui/dialog/dialog.tsx";
import { Check, Select } from "../../ui/field/field.tsx";
import { Item } from "../../ui/items/items.tsx";
import { LoadedItems } from "../../ui/items/loaded-items.tsx";
import { Secret } from "../../ui/secret/secret.tsx";
import { segmentName, segmentsQuery } from "../segments/index.ts";
import { ScreenHead, type Site, usePanel, useSite } from "../site/index.ts";
import { type EmbedLook, embedAddress, embedCode } from "./embed-code.ts";
import { LinkForm } from "./link-form.tsx";
import styles from "./sharing.module.css";
import { t } from "./texts.ts";
import { type Link, linksQuery, useLinks } from "./use-links.ts";

/** Share links of a site. */
export function SharingScreen() {
	const site = useSite();
	if (may("POST /sites/{id}/share-links", site.role)) return <Sharing site={site} />;
	return (
		<div className="stack-16">
			<ScreenHead title={t.title} />
			<Card>{t.adminsOnly}</Card>
		</div>
	);
}

interface Open {
	readonly what: "form" | "new" | "address" | "renewal" | "removal";
	readonly link: Link;
}

function Sharing({ site }: { readonly site: Site }) {
	const query = useQuery(linksQuery(site.id));
	const { turn } = useLinks(site.id);
	const [open, setOpen] = useState<Open>();
	const panel = usePanel();
	const add = () => panel.open("new");
	const addressOf = (link: Link) => {
		panel.close();
		setOpen({ what: "new", link });
	};
	return (
		<div className="stack-16">
			<ScreenHead title={t.title}>
				<AddButton onClick={add}>{t.add}</AddButton>
			</ScreenHead>
			<p className="intro">{t.about}</p>
			<Card>
				<LoadedItems label={t.list} query={query} of={(links) => links} empty={<None onAdd={add} />}>
					{(link) => (
						<LinkItem
							key={link.id}
							link={link}
							isBusy={turn.isBusy}
							onAddress={() => setOpen({ what: "address", link })}
							onEdit={() => setOpen({ what: "form", link })}
							onTurn={() => turn.run(link)}
							onRemove={() => setOpen({ what: "removal", link })}
						/>
					)}
				</LoadedItems>
			</Card>
			{panel.kind === "new" && <LinkForm site={site} link={undefined} onClose={panel.close} onMade={addressOf} />}
			{open !== undefined && <Opened site={site} open={open} setOpen={setOpen} />}
		</div>
	);
}

interface OpenedProps {
	readonly site: Site;
	readonly open: Open;
	readonly setOpen: Dispatch<SetStateAction<Open | undefined>>;
}

function Opened({ site, open, setOpen }: OpenedProps) {
	const { renew, remove } = useLinks(site.id);
	const close = () => setOpen(undefined);
	const { what, link } = open;
	if (what === "form") {
		return <LinkForm site={site} link={link} onClose={close} onMade={(made) => setOpen({ what: "new", link: made })} />;
	}
	if (what === "new") return <LinkAddress title={t.madeTitle} link={link} onRenew={undefined} onClose={close} />;
	if (what === "address") {
		const ask = () => setOpen({ what: "renewal", link });
		return <LinkAddress title={t.addressOne(link.name)} link={link} onRenew={ask} onClose={close} />;
	}
	if (what === "renewal") {
		return (
			<ConfirmDialog
				title={t.renewTitle(link.name)}
				goes={[t.renewGoes]}
				stays={[t.renewStays]}
				action={t.renew}
				onConfirm={async () => setOpen({ what: "new", link: await renew.mutateAsync(link) })}
				// The dialog closes when it is done, and by then the new address is what is open.
				onClose={() => setOpen((now) => (now?.what === "renewal" ? undefined : now))}
			/>
		);
	}
	return (
		<ConfirmDialog
			title={t.removeTitle(link.name)}
			goes={[t.removeGoes]}
			stays={[t.removeStays]}
			name={link.name}
			action={t.removeAction}
			onConfirm={() => remove.mutateAsync(link)}
			onClose={close}
		/>
	);
}

const None = ({ onAdd }: { readonly onAdd: () => void }) => (
	<>
		<p>{t.none}</p>
		<Button small onClick={onAdd}>
			{t.noneAction}
		</Button>
	</>
);

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
function LinkItem({ link, isBusy, onAddress, onEdit, onTurn, onRemove }: LinkItemProps) {
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
			{state === "segment_gone" && <p className="bad">{t.segmentGone}</p>}
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

interface LinkAddressProps {
	readonly title: string;
	readonly link: Link;
	/** Missing where the address is new. */
	readonly onRenew: (() => void) | undefined;
	readonly onClose: () => void;
}

/** Address of a link and the HTML that embeds it. */
function LinkAddress({ title, link, onRenew, onClose }: LinkAddressProps) {
	const { url } = link;
	const isFramed = url !== null && link.embed_origins.length > 0;
	return (
		<Dialog title={title} shape={isFramed ? "drawer" : "dialog"} onClose={onClose}>
			<div className={styles.form}>
				{url === null ? <p>{t.unknown}</p> : <Secret label={t.link} value={url} isShownOnce={false} />}
				{isFramed ? <Embed url={url} isNew={onRenew === undefined} /> : <p className="caption">{t.notFramed}</p>}
				<div className={styles.actions}>
					{onRenew && <Button onClick={onRenew}>{t.renew}</Button>}
					<Button look="primary" onClick={onClose}>
						{t.done}
					</Button>
				</div>
			</div>
		</Dialog>
	);
}

function Embed({ url, isNew }: { readonly url: string; readonly isNew: boolean }) {
	// Opening it counts as a view, so it is not opened by accident.
	const [isShown, setShown] = useState(isNew);
	const [look, setLook] = useState<EmbedLook>({ theme: "auto", lang: "auto", isWithoutMap: false });
	const address = embedAddress(url, look);
	// Behind a proxy the service may know itself by another name than the reader does.
	const own = new URL(address);
	return (
		<>
			<div className={styles.look}>
				<Choice label={t.theme} words={t.themes} value={look.theme} onChange={(theme) => setLook({ ...look, theme })} />
				<Choice
					label={t.language}
					words={t.languages}
					value={look.lang}
					onChange={(lang) => setLook({ ...look, lang })}
				/>
			</div>
			<Check
				label={t.map}
				checked={look.isWithoutMap}
				onChange={(event) => setLook({ ...look, isWithoutMap: event.target.checked })}
			/>
			<Secret label={t.embed} value={embedCode(url, look, t.frameTitle)} isShownOnce={false} />
			<p className="caption">{t.embedHint}</p>
			<section aria-label={t.preview} className={styles.preview}>
				<h3>{t.preview}</h3>
				{isShown ? (
					<iframe key={address} title={t.preview} src={own.pathname + own.search} className={styles.frame} />
				) : (
					<p>
						<Button small onClick={() => setShown(true)}>
							{t.showPreview}
						</Button>
					</p>
				)}
			</section>
		</>
	);
}

interface ChoiceProps<Value extends string> {
	readonly label: string;
	readonly words: Readonly<Record<Value, string>>;
	readonly value: Value;
	readonly onChange: (value: Value) => void;
}

const Choice = <Value extends string>({ label, words, value, onChange }: ChoiceProps<Value>) => (
	<Select label={label} value={value} onChange={(event) => onChange(event.target.value as Value)}>
		{(Object.entries(words) as [Value, string][]).map(([key, text]) => (
			<option key={key} value={key}>
				{text}
			</option>
		))}
	</Select>
);
