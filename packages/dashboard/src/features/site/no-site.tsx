import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { call } from "../../api/client.ts";
import { texts } from "../../lib/language.ts";
import { Button } from "../../ui/button/button.tsx";
import { Notice } from "../../ui/page/notice.tsx";
import { Secret } from "../../ui/secret/secret.tsx";
import { sitesQuery } from "./queries.ts";

const t = texts({
	en: {
		title: "No such site",
		text: (id: string) => `The site “${id}” does not exist, or is not yours to see.`,
		all: "All sites",
		shut: "This site is closed from here",
		shutText: (id: string) =>
			`You may see the site “${id}”, but only from certain addresses, and yours is not among them. An admin of the site can add it, in its settings under “IP allowlist”: send them your address.`,
		address: "Your address",
		again: "Try again",
	},
	es: {
		title: "No existe ese sitio",
		text: (id: string) => `El sitio «${id}» no existe o no tienes acceso.`,
		all: "Todos los sitios",
		shut: "Este sitio no se abre desde aquí",
		shutText: (id: string) =>
			`Puedes ver el sitio «${id}», pero solo desde ciertas direcciones, y la tuya no está entre ellas. Un administrador del sitio puede añadirla en sus ajustes, en «Direcciones permitidas»: envíale tu dirección.`,
		address: "Tu dirección",
		again: "Reintentar",
	},
});

/** Shown where an address names a site that is not among those that the reader may see; says why, where that is known. */
export function NoSite({ id }: { readonly id: string }) {
	const { data, refetch } = useSuspenseQuery(sitesQuery);
	if (data.ip_filtered_accounts.includes(id)) return <ShutSite id={id} again={() => void refetch()} />;
	return (
		<Notice title={t.title} text={t.text(id)}>
			<Link to="/sites">{t.all}</Link>
		</Notice>
	);
}

/** A site that its allowlist shuts to the reader's address, which an admin has to know. */
function ShutSite({ id, again }: { readonly id: string; readonly again: () => void }) {
	const { data: me } = useQuery({
		queryKey: ["GET /utils/my-ip"],
		queryFn: ({ signal }) => call("GET /utils/my-ip", { signal }),
	});
	return (
		<Notice title={t.shut} text={t.shutText(id)}>
			{me && <Secret label={t.address} value={me.ip} isShownOnce={false} />}
			<Button look="primary" onClick={again}>
				{t.again}
			</Button>
			<Link to="/sites">{t.all}</Link>
		</Notice>
	);
}
