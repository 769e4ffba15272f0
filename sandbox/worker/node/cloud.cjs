// Requests to the cloud's services go to the sandbox, whatever the client: its address
// answers those that it serves and refuses the others. With another way to connect, the
// connection is refused here. Nothing is looked up.

const http = require("node:http");
const https = require("node:https");
const dns = require("node:dns");
const cloud = JSON.parse(process.env.GATEWRIGHT_CLOUD ?? "null");
delete process.env.GATEWRIGHT_CLOUD;

const cloudHost = /(^|\.)(amazonaws\.com(\.cn)?|api\.aws)\.?$/i;
const servedHost = /(^|\.)(dynamodb|cognito-idp|cognito-identity|lambda|ssm|secretsmanager|streams\.dynamodb)(\.[a-z0-9-]+)?\.(amazonaws\.com(\.cn)?|api\.aws)\.?$/i;

const hostOnly = (host) => String(host).replace(/:\d+$/, "");
// isLed reports whether requests to a host go to the sandbox.
const isLed = (host) => cloud !== null && cloudHost.test(host) && (!cloud.allow || servedHost.test(host));

function refusal(host) {
  const text = `a connection to the cloud (${host}) is not served here, and no call leaves this machine; let such calls leave with: gatewright sandbox --allow-cloud`;
  entry("WARN", text);
  const err = new Error(text);
  err.code = "NotInSandbox";
  return err;
}

if (cloud !== null) {
  const { caller } = cloud;
  const request = http.request;

  const lead = (original) =>
    function (...values) {
      let [options] = values;
      if (typeof options === "string") {
        options = new URL(options);
      }
      if (options instanceof URL) {
        const more = typeof values[1] === "object" ? values[1] : undefined;
        options = { ...urlOptions(options), ...more };
      }
      const host = hostOnly(options?.hostname ?? options?.host ?? "");
      if (!isLed(host)) {
        return original.apply(this, values);
      }
      const callback = values.find((value) => typeof value === "function");
      const led = {
        ...options,
        protocol: "http:",
        host: cloud.host,
        hostname: cloud.host,
        port: cloud.port,
        defaultPort: undefined,
        agent: undefined,
        createConnection: undefined,
        lookup: undefined,
        servername: undefined,
        socketPath: undefined,
        headers: withHeaders(options.headers, host),
      };
      return request.call(http, led, callback);
    };

  const urlOptions = (url) => ({
    protocol: url.protocol,
    hostname: url.hostname,
    port: url.port === "" ? undefined : Number(url.port),
    path: `${url.pathname}${url.search}`,
    ...(url.username || url.password
      ? { auth: `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}` }
      : undefined),
  });

  const withHeaders = (headers, host) => {
    const added = { "X-Gatewright-Host": host, "X-Gatewright-Caller": caller };
    return Array.isArray(headers)
      ? [...headers, ...Object.entries(added).flat()]
      : { ...headers, ...added };
  };

  for (const module of [http, https]) {
    module.request = lead(module.request);
    module.get = function (...values) {
      const made = module.request(...values);
      made.end();
      return made;
    };
  }

  const fetched = globalThis.fetch;
  if (typeof fetched === "function") {
    globalThis.fetch = function fetch(input, init) {
      let url;
      try {
        url = new URL(typeof input === "object" && "url" in input ? input.url : input);
      } catch {
        return fetched(input, init);
      }
      if (!isLed(url.hostname)) {
        return fetched(input, init);
      }
      const wanted = new Request(input, init);
      const { hostname } = url;
      url.protocol = "http:";
      url.hostname = cloud.host;
      url.port = cloud.port;
      const headers = new Headers(wanted.headers);
      headers.set("X-Gatewright-Host", hostname);
      headers.set("X-Gatewright-Caller", caller);
      return fetched(new Request(url, wanted), { headers });
    };
  }

  const isRefused = (host) => typeof host === "string" && cloudHost.test(host) && !cloud.allow;

  const connect = net.Socket.prototype.connect;
  net.Socket.prototype.connect = function (...values) {
    const first = Array.isArray(values[0]) ? values[0][0] : values[0];
    const host = first !== null && typeof first === "object" ? first.host : values[1];
    if (isRefused(host)) {
      const err = refusal(host);
      process.nextTick(() => this.destroy(err));
      return this;
    }
    return connect.apply(this, values);
  };

  for (const [object, later] of [
    [dns, true],
    [dns.promises, false],
  ]) {
    for (const name of Object.keys(object)) {
      if (!/^(lookup|resolve(?!r)\w*)$/.test(name) || typeof object[name] !== "function") {
        continue;
      }
      const original = object[name];
      object[name] = function (host, ...rest) {
        if (!isRefused(host)) {
          return original.call(this, host, ...rest);
        }
        const err = refusal(host);
        const callback = rest.findLast((value) => typeof value === "function");
        if (later && callback) {
          process.nextTick(callback, err);
          return undefined;
        }
        return Promise.reject(err);
      };
    }
  }
  Module.syncBuiltinESMExports();
}
