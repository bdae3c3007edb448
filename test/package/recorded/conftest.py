import pytest

pytest_plugins = ['commandry_pytest']


@pytest.fixture(scope='session', autouse=True)
def bot(run_bot):
    return run_bot('node', 'bot.cjs', ready='/ticket')
