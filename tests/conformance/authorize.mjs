// Loaded into a judge that cannot send a token (node --import): adds ours to every HTTP request it makes. Nothing
// stands between the judge and the server, so Host, Origin and event streams are the real ones.
import { subscribe } from "node:diagnostics_channel";

const authorization = `Bearer ${process.env.BIGMIND_TEST_TOKEN}`;
subscribe("undici:request:create", ({ request }) => request.addHeader("authorization", authorization));
subscribe("http.client.request.created", ({ request }) => request.setHeader("authorization", authorization));
