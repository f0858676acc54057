import { useQuery } from "@tanstack/react-query";
import { type Dispatch, type SetStateAction, useState } from "react";
import { may } from "../../api/may.ts";
import { AddButton } from "../../ui/button/add-button.tsx";
import { Button } from "../../ui/button/button.tsx";
import { Card } from "../../ui/card/card.tsx";
import { ConfirmDialog } from "../../ui/confirm/confirm-dialog.tsx";
import { LoadedItems } from "../../ui/items/loaded-items.tsx";
import { ScreenHead, type Site, usePanel, useSite } from "../site/index.ts";
import { LinkAddress } from "./link-address.tsx";
import { LinkForm } from "./link-form.tsx";
import { LinkItem } from "./link-item.tsx";
import styles from "./sharing.module.css";
import { t } from "./texts.ts";
import { type Link, linksQuery, useLinks } from "./use-links.ts";

/** Share links of a site. */
export function SharingScreen() {
	const site = useSite();
	if (may("POST /sites/{id}/share-links", site.role)) return <Sharing site={site} />;
	return (
		<div className={styles.screen}>
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
		<div className={styles.screen}>
			<ScreenHead title={t.title}>
				<AddButton onClick={add}>{t.add}</AddButton>
			</ScreenHead>
			<p className={styles.about}>{t.about}</p>
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
