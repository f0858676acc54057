import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { read } from "../../api/read.ts";
import { texts } from "../../lib/language.ts";
import { Button } from "../../ui/button/button.tsx";
import { Notice } from "../../ui/page/notice.tsx";
import { Secret } from "../../ui/secret/secret.tsx";
import { sitesQuery } from "./queries.ts";

const t = texts({
	en: {
		title: "Site not found",
		text: (id: string) => `The site “${id}” doesn't exist or you don't have access.`,
		all: "All sites",
		shut: "Access from this IP address is not allowed",
		shutText: (id: string) =>
			`The site “${id}” can only be accessed from certain IP addresses. Ask an admin of the site to add yours to the IP allowlist.`,
		address: "Your IP address",
		again: "Try again",
	},
	es: {
		title: "Sitio no encontrado",
		text: (id: string) => `El sitio «${id}» no existe o no tienes acceso.`,
		all: "Todos los sitios",
		shut: "No se permite el acceso desde esta dirección IP",
		shutText: (id: string) =>
			`El sitio «${id}» solo es accesible desde ciertas direcciones IP. Pide a un administrador del sitio que añada la tuya a la lista de IP permitidas.`,
		address: "Tu dirección IP",
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
	const { data: me } = useQuery(read("GET /utils/my-ip"));
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
