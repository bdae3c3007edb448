"""People who use a bot at `commandry serve --gateway`, as fixtures of pytest.

Add the folder of this file to PYTHONPATH and name it in conftest.py: pytest_plugins = ['commandry_pytest'].
Run the tests with: npx commandry serve --gateway --port 0 --run "pytest -q". It needs nothing but pytest.
"""

import base64
import json
import os
import subprocess
import time
import urllib.error
import urllib.request

import pytest


class Refused(Exception):
    """An action that the service refused, such as a command that the person may not use."""

    def __init__(self, code, message, issues=()):
        super().__init__(f'{code}: {message}')
        self.code = code
        self.message = message
        self.issues = issues


def attachment(filename, content=None):
    """A file to attach, with a content of str or bytes; without one, the file is read."""
    if content is None:
        with open(filename, 'rb') as opened:
            content = opened.read()
    if isinstance(content, str):
        content = content.encode()
    return {'filename': os.path.basename(filename), 'base64': base64.b64encode(content).decode()}


class Shown(dict):
    """What people see of an answer. Its fields are attributes too: content, ephemeral, text, message, modal, follow_ups."""

    def __init__(self, people, fields):
        super().__init__(fields)
        self._people = people

    def __getattr__(self, name):
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None

    @property
    def files(self):
        """The contents of its files by name, as bytes."""
        attachments = (self['message'] or {}).get('attachments', [])
        return {each['filename']: _content(each['url']) for each in attachments}

    def _act(self, action, who, **body):
        if isinstance(who, Person):
            return who.act(action, id=self['id'], **body)
        return self._people.post(action, id=self['id'], **({} if who is None else {'as': who}), **body)

    def press(self, button, who=None):
        """Presses a button by its label or custom_id; as another person with `who`."""
        return self._act('press', who, button=button)

    def choose(self, menu, *values, who=None):
        """Chooses in a menu, by its placeholder or custom_id. Values are labels, values, or names such as '@alan'."""
        return self._act('choose', who, menu=menu, values=list(values))

    def submit(self, values, who=None):
        """Submits the modal, its inputs by label or custom_id."""
        return self._act('submit', who, values=values)

    def read(self):
        """The answer as it is now."""
        return self._act('read', None)

    def edited(self):
        """Waits for the next edit of the answer."""
        return self._act('edited', None)

    def followed_up(self):
        """Waits for the next follow-up."""
        return self._act('followed-up', None)


class Person:
    """A person of the server. `place` may have channel, server, locale, installed and application."""

    def __init__(self, people, name, **place):
        self.name = name
        self._people = people
        self._place = place

    def at(self, **place):
        """The same person at another place: moderator.at(channel='staff')."""
        return Person(self._people, self.name, **{**self._place, **place})

    def act(self, action, **body):
        """Any action of docs/testbed.md that takes `as`."""
        return self._people.post(action, **{'as': self.name}, **self._place, **body)

    def use(self, line, **values):
        """Uses a command as people type it: '/ban user:@alan', or its path with values: use('import', file=attachment('a.csv'))."""
        return self.act('use', line=line, **({'values': values} if values else {}))

    def use_on(self, command, user=None, message=None):
        """Uses a context menu command on a user (a name), or on an answer or a message."""
        if user is not None:
            return self.act('use-on', command=command, user=user)
        return self.act('use-on', command=command, message=message.get('message') or message)

    def launch(self):
        """Launches the Activity."""
        return self.act('launch')

    def suggestions(self, line):
        """The suggestions of the bot for a line."""
        return self.act('suggest', line=line)

    def say(self, content, reply=None, files=()):
        """Writes a message in the channel, as a reply to another one, with files of attachment()."""
        replied = {} if reply is None else {'reply': reply['id']}
        attached = {'files': list(files)} if files else {}
        return self.act('say', content=content, **replied, **attached)

    def start_thread(self, name, message=None, private=False):
        """Starts a thread, from a message or from nothing. Everyone in it is there with at(channel=name)."""
        source = {} if message is None else {'id': message['id']}
        return self.act('start-thread', name=name, private=private, **source)

    def join_thread(self):
        """Joins the thread that the person looks at: ada.at(channel='ticket-7').join_thread()."""
        return self.act('join-thread')

    def leave_thread(self):
        return self.act('leave-thread')

    def sees(self, text, nth=1):
        """Waits for a message in the channel: a str is its whole text, re.compile() a part; with nth=2 for the second one."""
        return self.act('sees', nth=nth, **_wanted(text))

    def no_longer_sees(self, text):
        """Waits until no message with this text is in the channel, as sees() finds it."""
        return self.act('no-longer-sees', **_wanted(text))

    def sees_reaction(self, message, emoji):
        """Waits until a message has a reaction."""
        return self.act('sees-reaction', id=message['id'], emoji=emoji)

    def join_voice(self, voice, muted=False, deafened=False):
        return self.act('join-voice', voice=voice, muted=muted, deafened=deafened)

    def leave_voice(self):
        return self.act('leave-voice')

    def vote(self, message, answer):
        """Votes for an answer of a poll, by its text."""
        return self.act('vote', id=message['id'], answer=answer)

    def unvote(self, message, answer):
        return self.act('unvote', id=message['id'], answer=answer)

    def close_direct_messages(self):
        """Takes no DMs from bots: they are refused with 50007."""
        return self.act('close-direct-messages')

    def open_direct_messages(self):
        return self.act('open-direct-messages')

    def block(self):
        return self.act('block')

    def unblock(self):
        return self.act('unblock')

    def pin(self, message):
        return self.act('pin', id=message['id'])

    def unpin(self, message):
        return self.act('unpin', id=message['id'])

    def react(self, message, emoji):
        return self.act('react', id=message['id'], emoji=emoji)

    def unreact(self, message, emoji):
        return self.act('unreact', id=message['id'], emoji=emoji)

    def edit(self, message, content):
        return self.act('edit', id=message['id'], content=content)

    def delete(self, message):
        return self.act('delete', id=message['id'])


class People:
    """The people at a service."""

    def __init__(self, url):
        self.url = url

    def __call__(self, name, **place):
        return Person(self, name, **place)

    def advance(self, duration):
        """Moves the clock of the service: advance('15m'). True if a bot moves with it; those in Python do not."""
        return self.post('advance', duration=duration)['moves_bots']

    def settled(self, timeout=None):
        """Waits until the bots are done with everything so far: settled('5s'). Refused, with what is still going on."""
        self.post('settled', **({} if timeout is None else {'timeout': timeout}))

    def messages(self, channel, **place):
        """The messages of a channel or a thread, the oldest first."""
        return self.post('channel', channel=channel, **place)['messages']

    def threads(self, **place):
        """The threads of the server."""
        return self.post('server', **place)['threads']

    def post(self, action, **body):
        """An action below /people/. Raises Refused when it is refused."""
        request = urllib.request.Request(
            f'{self.url}/people/{action}', json.dumps(body).encode(), {'Content-Type': 'application/json'}
        )
        try:
            with urllib.request.urlopen(request) as response:
                result = json.load(response)
        except urllib.error.HTTPError as error:
            with error:
                refused = json.load(error)['error']
            raise Refused(refused['code'], refused['message'], refused.get('issues', ())) from None
        return Shown(self, result) if isinstance(result, dict) else result


def _wanted(text):
    return {'text': text} if isinstance(text, str) else {'pattern': text.pattern}


def _content(url):
    with urllib.request.urlopen(url) as response:
        return response.read()


@pytest.fixture(scope='session')
def people():
    """Everyone at the service: people('ada'), people.post('route', method='GET', ...)."""
    if 'COMMANDRY_URL' not in os.environ:
        pytest.exit('COMMANDRY_URL is not set; run: npx commandry serve --gateway --port 0 --run "pytest"')
    return People(os.environ['COMMANDRY_URL'])


def _person(name):
    @pytest.fixture(scope='session', name=name)
    def person(people):
        return people(name)

    person.__doc__ = f'A person of the server: {name}.'
    return person


member = _person('member')
moderator = _person('moderator')
administrator = _person('administrator')
ada = _person('ada')
grace = _person('grace')
alan = _person('alan')


def token_of(application):
    """A token of a bot, whose first part is the id of its application. The service takes any."""
    return base64.b64encode(application.encode()).decode().rstrip('=') + '.any.thing'


@pytest.fixture(scope='session')
def run_bot(people):
    """Starts a program as a bot and waits until a command of it can be used: run_bot(sys.executable, 'bot.py', ready='/ban').

    TOKEN and DISCORD_TOKEN in its environment are a token of the application.
    """
    processes = []

    def run(*command, ready, application=os.environ.get('CLIENT_ID', '112233445566778899'), seconds=60, env=None):
        token = token_of(application)
        variables = {**os.environ, 'TOKEN': token, 'DISCORD_TOKEN': token, **(env or {})}
        process = subprocess.Popen(command, env=variables)
        processes.append(process)
        deadline = time.monotonic() + seconds
        while not _is_ready(people, application, ready):
            if process.poll() is not None:
                pytest.exit(f'{" ".join(command)} ended with code {process.returncode} before {ready} was there')
            if time.monotonic() > deadline:
                pytest.exit(f'{" ".join(command)} has no command {ready} after {seconds} s')
            time.sleep(0.1)
        return process

    yield run
    for process in processes:
        process.kill()
        process.wait()


def _is_ready(people, application, line):
    try:
        return bool(people.post('suggest', **{'as': 'administrator', 'application': application, 'line': line}))
    except Refused:
        return False
