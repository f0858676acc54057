import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { may } from "../../api/may.ts";
import { AddButton } from "../../ui/button/add-button.tsx";
import { Button } from "../../ui/button/button.tsx";
import { Card } from "../../ui/card/card.tsx";
import { ConfirmDialog } from "../../ui/confirm/confirm-dialog.tsx";
import { Items } from "../../ui/items/items.tsx";
import { Loaded } from "../../ui/loaded/loaded.tsx";
import { ScreenHead, type Site, useSite } from "../site/index.ts";
import { LinkForm } from "./link-form.tsx";
import { LinkItem } from "./link-item.tsx";
import { type Made, MadeLink } from "./made-link.tsx";
import styles from "./sharing.module.css";
import { t } from "./texts.ts";
import { type Link, linksQuery, useLinks } from "./use-links.ts";

/** Who reads the report of a site without an account. */
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

type Open = { readonly what: "form"; readonly link?: Link } | { readonly what: "removal"; readonly link: Link } | Made;

function Sharing({ site }: { readonly site: Site }) {
	const query = useQuery(linksQuery(site.id));
	const { turn, remove } = useLinks(site.id);
	const [open, setOpen] = useState<Open>();
	const close = () => setOpen(undefined);
	return (
		<div className={styles.screen}>
			<ScreenHead title={t.title}>
				<AddButton onClick={() => setOpen({ what: "form" })}>{t.add}</AddButton>
			</ScreenHead>
			<p className={styles.about}>{t.about}</p>
			<Card>
				<Loaded
					query={query}
					isEmpty={(links) => links.length === 0}
					empty={<None onAdd={() => setOpen({ what: "form" })} />}
				>
					{(links) => (
						<Items label={t.list}>
							{links.map((link) => (
								<LinkItem
									key={link.id}
									link={link}
									isBusy={turn.isBusy}
									onEdit={() => setOpen({ what: "form", link })}
									onTurn={() => turn.run(link)}
									onRemove={() => setOpen({ what: "removal", link })}
								/>
							))}
						</Items>
					)}
				</Loaded>
			</Card>
			{open?.what === "form" && (
				<LinkForm site={site} link={open.link} onClose={close} onMade={(made) => setOpen({ what: "made", ...made })} />
			)}
			{open?.what === "made" && <MadeLink made={open} onClose={close} />}
			{open?.what === "removal" && (
				<ConfirmDialog
					title={t.removeTitle(open.link.name)}
					goes={[t.removeGoes]}
					stays={[t.removeStays]}
					name={open.link.name}
					action={t.removeAction}
					onConfirm={() => remove.mutateAsync(open.link)}
					onClose={close}
				/>
			)}
		</div>
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
