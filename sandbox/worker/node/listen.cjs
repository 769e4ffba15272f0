// The function's own servers get free ports of the loopback address: a second worker
// could not listen on the same port, and no other machine may reach them. Sockets with
// a path stay as they are.

const listen = net.Server.prototype.listen;
net.Server.prototype.listen = function (...values) {
  const callback = values.findLast((value) => typeof value === "function");
  const [first] = values;
  const options =
    first !== null && typeof first === "object" ? { ...first } : undefined;
  const hasNoPort =
    (options &&
      (options.path !== undefined ||
        options.fd !== undefined ||
        options._handle !== undefined ||
        options.handle !== undefined ||
        typeof first.listen === "function")) ||
    (typeof first === "string" && !/^\d+$/.test(first));
  if (hasNoPort) {
    return listen.apply(this, values);
  }
  const local = { ...options, port: 0, host: "127.0.0.1" };
  const listening = callback
    ? listen.call(this, local, callback)
    : listen.call(this, local);
  this.unref();
  return listening;
};
