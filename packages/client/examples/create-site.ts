// A new site, and the tag for its pages.
import { signedIn } from "./connect.ts";

const [, , name = "Blog", domain = "blog.example"] = process.argv;
const footfall = await signedIn();
const site = await footfall.call("POST /sites", { body: { name, domains: [domain], timezone: "Europe/Madrid" } });
const { script_tag } = await footfall.call("GET /sites/{id}/pixel", { path: { id: site.id } });
console.log(`${site.id}: ${script_tag}`);
