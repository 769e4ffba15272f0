#!/usr/bin/env node
'use strict';

// Starts the program of gatewright, which is in a package for each platform, and behaves as the
// program itself would: same terminal, arguments, signals and exit code.

const fs = require('fs');
const path = require('path');
const own = require('../package.json');

const here = process.platform + '-' + process.arch;
// Package managers set this variable, npm, pnpm and Yarn alike.
const underNpm = Boolean(process.env.npm_config_user_agent);

try {
	main();
} catch (error) {
	refuse(error.message);
}

function main() {
	const oldest = Number(own.engines.node.match(/\d+/)[0]);
	if (parseInt(process.versions.node, 10) < oldest) {
		throw new Error('this is Node.js ' + process.versions.node + ', and ' + oldest + ' or newer is needed');
	}
	const chosen = process.env.GATEWRIGHT_BINARY;
	// If it names a launcher, that one starts the program of its package: nothing goes round in circles.
	delete process.env.GATEWRIGHT_BINARY;
	if (chosen) {
		const program = path.resolve(chosen);
		check(program, 'set GATEWRIGHT_BINARY to the path of the program, or unset it');
		spawn(program);
		return;
	}
	const program = packaged();
	check(program, 'install again; a virus scanner may have removed it');
	// A package manager sends ctrl+c to its child although the terminal has sent it already
	// (npm/cli#8164). So there the launcher stays between them; elsewhere it gives way.
	if (process.execve && process.platform !== 'win32' && !underNpm) {
		process.execve(program, [program].concat(process.argv.slice(2)));
	}
	spawn(program);
}

// packaged returns the path of the program in the package for this platform.
function packaged() {
	const names = Object.keys(own.optionalDependencies);
	const name = own.name + '-' + here;
	const platform = (name) => name.slice(own.name.length + 1);
	if (!names.includes(name)) {
		throw new Error('there is no program for ' + here + ', only for ' + names.map(platform).join(', ') +
			'; build one from the source with Go, and set GATEWRIGHT_BINARY to its path');
	}
	const manifest = find(name);
	if (!manifest) {
		const other = names.find(find);
		if (other) {
			throw new Error('the installed program is for ' + platform(other) + ', and this Node.js is for ' + here +
				': install again here, for example with npm ci');
		}
		throw new Error('the package ' + name + ', which has the program, is not installed: ' + advice(name));
	}
	const version = require(manifest).version;
	if (version !== own.version) {
		throw new Error('the package ' + name + ' has version ' + version + ', and ' + own.name + ' has ' + own.version +
			': install again, so that both are the same');
	}
	return path.join(path.dirname(manifest), 'bin', process.platform === 'win32' ? 'gatewright.exe' : 'gatewright');
}

// advice says how to install the package with the program.
function advice(name) {
	if (__dirname.includes(path.sep + '_npx' + path.sep)) {
		return 'run npx -p ' + own.name + '@' + own.version + ' -p ' + name + '@' + own.version + ' gatewright';
	}
	return 'install again with optional dependencies, in npm with npm install --include=optional;' +
		' if that does not help, remove node_modules and the lock file first';
}

// find returns the path of the package.json of an installed package.
function find(name) {
	try {
		return require.resolve(name + '/package.json');
	} catch (error) {
		return '';
	}
}

// check throws an error that says what to do if a program cannot be executed.
function check(program, missing) {
	try {
		fs.accessSync(program, fs.constants.X_OK);
	} catch (error) {
		if (error.code === 'EACCES') {
			throw new Error(program + ' may not be executed: run chmod +x on it, or install in a folder that is not mounted with noexec');
		}
		throw new Error(program + ' is missing (' + error.code + '): ' + missing);
	}
}

// spawn runs the program as a child, and ends as it does.
function spawn(program) {
	const windows = process.platform === 'win32';
	const began = windows || hasTerminal();
	// sentToBoth tells whether a signal came from the terminal, which sends it to the child too.
	// If somebody closes the terminal, it is gone when SIGHUP arrives.
	const sentToBoth = (signal) => began && (windows || signal !== 'SIGTERM' && (signal !== 'SIGHUP' || !hasTerminal()));
	const signals = windows ? ['SIGINT', 'SIGBREAK', 'SIGHUP'] : ['SIGINT', 'SIGQUIT', 'SIGHUP', 'SIGTERM'];
	let child;
	let hungUp = false;
	for (const signal of signals) {
		process.on(signal, () => {
			if (child && !sentToBoth(signal)) {
				child.kill(signal);
			}
			hungUp = hungUp || signal === 'SIGHUP';
		});
	}
	child = require('child_process').spawn(program, process.argv.slice(2), { stdio: 'inherit' });
	// A script that starts something with & may mean it to outlive npm.
	if (!windows && underNpm && !/(^|[^&>])&($|[^&>])/.test(process.env.npm_lifecycle_script || '')) {
		onceAlone(() => hungUp || child.kill('SIGTERM'));
	}
	child.on('error', (error) => refuse(program + ' cannot be started: ' + error.message));
	child.on('exit', (code, signal) => {
		if (signal === null) {
			process.exit(code);
		}
		// The number counts only if the signal does not end Node.js.
		process.exitCode = 128 + require('os').constants.signals[signal];
		signals.forEach((name) => process.removeAllListeners(name));
		process.kill(process.pid, signal);
	});
}

// onceAlone calls act when the parent has ended. npm passes SIGTERM to the shell in which it started
// the launcher, and a shell ends by it without passing it on.
function onceAlone(act) {
	const parent = process.ppid;
	const timer = setInterval(() => {
		if (process.ppid !== parent) {
			clearInterval(timer);
			act();
		}
	}, 500);
	timer.unref();
}

// hasTerminal tells whether the process has a controlling terminal, even if no stream is it.
function hasTerminal() {
	try {
		fs.closeSync(fs.openSync('/dev/tty', fs.constants.O_RDONLY | fs.constants.O_NOCTTY));
		return true;
	} catch (error) {
		return false;
	}
}

function refuse(what) {
	console.error('gatewright: ' + what);
	process.exitCode = 1;
}
